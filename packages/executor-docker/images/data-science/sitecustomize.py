"""Run by every Python that starts in the image: matplotlib finds its list of fonts made, and the place that it asks to write in.

The list was made with the image, and matplotlib takes it from no folder that is read-only: it goes to `/tmp`.
"""

import os

MADE = "/usr/local/share/matplotlib-cache"
PLACE = "/tmp/matplotlib"


def lay_out():
    names = os.listdir(MADE)
    os.mkdir(PLACE, 0o700)
    for name in names:
        with open(os.path.join(MADE, name), "rb") as made, open(os.path.join(PLACE, name), "wb") as copy:
            copy.write(made.read())


if os.environ.setdefault("MPLCONFIGDIR", PLACE) == PLACE:
    try:
        lay_out()
    except OSError:
        pass  # An earlier Python has done it, or there is no place to write: matplotlib then does what it can.
