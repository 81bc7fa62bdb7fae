#!/usr/bin/python3 -I
"""Makes the image that the Docker tests run in out of this machine's own Python, shell and tools. Nothing is downloaded.

It takes Debian or Ubuntu, an engine that answers, and a few seconds. Of numpy, matplotlib and pandas the image gets what the
system's Python has. Its name is codeact-test:latest, or what the environment variable CODEACT_TEST_IMAGE says.
"""

import importlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time

LIBRARIES = ["numpy", "matplotlib.pyplot", "pandas", "pandas.io.formats.style"]

PROGRAMS = """
awk base64 basename bash cat chmod cp cut date dd df dirname du echo env expr false find grep gzip head id kill ln ls md5sum mkdir
mkfifo mktemp mv nproc printf pwd readlink realpath rm rmdir sed seq sh sha256sum sleep sort stat tail tar tee test timeout touch tr
true uname uniq wc xargs yes
""".split()

# Folders that no program asks for.
LEFT_OUT = re.compile(r"tests?|ensurepip|idlelib|lib2to3|pydoc_data|tkinter|turtledemo|dist-packages|include|config-3.*|posix|right")

TIME_ZONES = "/usr/share/zoneinfo"

FOLDERS = {"dev": 0o755, "proc": 0o755, "sys": 0o755, "etc": 0o755, "home": 0o755, "run": 0o755, "var": 0o755}
FOLDERS |= {"tmp": 0o1777, "workspace": 0o755, "usr/sbin": 0o755}

# `/usr` is merged, as Debian has it.
LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64", "usr/bin/python": "python3"}

TEXTS = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/workspace:/bin/bash\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/hosts": "127.0.0.1 localhost\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}

SETTINGS = ["ENV PATH=/usr/local/bin:/usr/bin:/bin", "ENV LANG=C.UTF-8", "WORKDIR /workspace", 'CMD ["python3"]']


def main():
    if sys.prefix != "/usr":
        sys.exit("Run it with the system's own Python: /usr/bin/python3 scripts/docker-test-image.py")
    if shutil.which("docker") is None:
        sys.exit("There is no docker command. On Debian: sudo apt-get install docker.io")
    started = time.monotonic()
    tag = os.environ.get("CODEACT_TEST_IMAGE") or "codeact-test:latest"
    files = [*programs(), *tree(sysconfig.get_path("stdlib")), *tree(TIME_ZONES), *libraries()]
    old = image_id(tag)
    size = make_image(tag, sorted({*files, *linked(files)}))
    if old not in ("", image_id(tag)):
        docker("image", "rm", old)  # fails where a container still has it, and is in no one's way there
    print("%s: %d MB, %.1f s" % (tag, size / 1e6, time.monotonic() - started))


def programs():
    found = [shutil.which(name, path="/usr/bin:/bin") for name in PROGRAMS]
    return ["/usr/bin/python3", *filter(None, found)]


def tree(folder):
    """Every file below a folder. Compiled modules come along: in a container nothing can be compiled for the next one."""
    for path, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not LEFT_OUT.fullmatch(name)]
        yield from (os.path.join(path, name) for name in names if not name.endswith(".a"))


def libraries():
    """The libraries that can be imported here, with all that they import, and what matplotlib keeps elsewhere."""
    before = set(sys.modules)
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    for name in sorted({name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names):
        yield from module_files(sys.modules.get(name))
    if "matplotlib" in sys.modules:
        yield from tree(sys.modules["matplotlib"].get_data_path())
        yield sys.modules["matplotlib"].matplotlib_fname()


def module_files(module):
    folders = list(getattr(module, "__path__", []))
    for folder in folders:
        yield from tree(folder)
    if not folders and getattr(module, "__file__", None) is not None:
        yield module.__file__


def linked(files):
    """The shared libraries that these files are linked to, and what loads them."""
    binaries = [path for path in files if is_binary(path)]
    report = subprocess.run(["ldd", *binaries], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return set(re.findall(r"(/\S+) \(0x", report.stdout))


def is_binary(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def make_image(tag, files):
    """Streams an archive into the engine, the same each time from the same files, and gives its size."""
    changes = [part for setting in SETTINGS for part in ("--change", setting)]
    engine = subprocess.Popen(["docker", "import", *changes, "-", tag], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        with engine.stdin, tarfile.open(mode="w|", fileobj=engine.stdin, format=tarfile.PAX_FORMAT) as archive:
            fill(archive, files)
            size = archive.offset
    except BrokenPipeError:
        size = 0  # the engine has said why
    if engine.wait() != 0:
        sys.exit("The engine did not take the image.")
    return size


def fill(archive, files):
    places = {place(path): path for path in files}
    parents = {parent for name in places for parent in parents_of(name)}
    for name in sorted({*parents, *FOLDERS}):
        archive.addfile(entry(name, type=tarfile.DIRTYPE, mode=FOLDERS.get(name, 0o755)))
    for name, target in LINKS.items():
        archive.addfile(entry(name, type=tarfile.SYMTYPE, linkname=target))
    for name, text in TEXTS.items():
        archive.addfile(entry(name, size=len(text)), io.BytesIO(text.encode()))
    for name, path in places.items():
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            # Python believes a compiled module as long as the time of its source is the one that it notes.
            mode, mtime = status.st_mode & 0o755, int(status.st_mtime)
            archive.addfile(entry(name, size=status.st_size, mode=mode, mtime=mtime), file)


def place(path):
    """Where a file is in the archive. A link is followed, and leaves its own path to what it leads to."""
    name = os.path.normpath(path).lstrip("/")
    return os.path.join("usr", name) if name.split("/")[0] in LINKS else name


def parents_of(name):
    parts = name.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def entry(name, **fields):
    info = tarfile.TarInfo(name)
    for field, value in {"mode": 0o644, **fields}.items():
        setattr(info, field, value)
    return info


def image_id(tag):
    return docker("image", "inspect", "--format", "{{.Id}}", tag).strip()


def docker(*args):
    return subprocess.run(["docker", *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


main()
