"""What cells import most often, and what their errors need. From the archive each takes long; in a snapshot it is just there."""

import importlib

MODULES = """
    argparse asyncio base64 bisect calendar collections.abc contextlib copy csv dataclasses datetime decimal difflib enum
    fractions functools glob gzip hashlib heapq html inspect io itertools json linecache logging math operator os pathlib
    pickle pprint queue random re secrets shutil sqlite3 statistics string struct tempfile textwrap threading time
    traceback tracemalloc types typing unicodedata urllib.parse uuid warnings weakref xml.etree.ElementTree zipfile zlib
    zoneinfo concurrent.futures
"""

for name in MODULES.split():
    importlib.import_module(name)
