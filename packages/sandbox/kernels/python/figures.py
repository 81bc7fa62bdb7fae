"""Figures of matplotlib: shown by themselves, at `plt.show()` or at the end of the cell that drew them."""

import sys
from _frozen_importlib_external import PathFinder  # Loaded by now in every Python; `importlib.machinery` is not.
from binascii import b2a_base64
from io import BytesIO

_PYPLOT = "matplotlib.pyplot"

# Of the figures that the code itself has shown: their id, and the hash of their picture.
_shown = {}


def watch(display):
    """Gives pyplot a `show()` of ours once it is imported: that of a backend without a screen does nothing."""
    sys.meta_path.insert(0, _Finder(display))


def show_open(display):
    """Shows the figures that pyplot holds, and closes them, so that the next plot begins with none."""

    def show(figures):
        for figure in figures:
            if _is_drawn(figure) and not _is_shown(figure):
                display(figure)

    _use_up(show)


def drop_open():
    """Closes the figures of a cell that was stopped: to draw them could take longer than it has left."""

    def tell(figures):
        if figures:
            _say("[figures not shown, because the cell was stopped: %d]", len(figures))

    _use_up(tell)


def picture(value):
    """A figure as PNG, in base64; None for anything else."""
    module = sys.modules.get("matplotlib.figure")
    if module is None or not issubclass(type(value), module.Figure):
        return None
    png, warnings = _draw(value)
    for warning in warnings:
        _say("%s: %s", warning.category.__name__, warning.message)
    _shown[id(value)] = hash(png)
    return b2a_base64(png, newline=False).decode("ascii")


def _use_up(use):
    pyplot = sys.modules.get(_PYPLOT)
    try:
        if pyplot is not None:
            try:
                use([pyplot.figure(number) for number in pyplot.get_fignums()])
            finally:
                pyplot.close("all")
    except Exception as error:
        _say("a figure cannot be shown: %s", error)
    finally:
        _shown.clear()


def _say(text, *parts):
    try:
        sys.stderr.write(text % parts + "\n")
    except Exception:
        pass  # The code has taken stderr away; that is no reason to fail.


def _is_drawn(figure):
    return len(figure.get_children()) > 1  # The first is the background.


def _is_shown(figure):
    """Whether the code has shown it itself, and drawn nothing since."""
    before = _shown.get(id(figure))
    try:
        return before is not None and hash(_draw(figure)[0]) == before
    except Exception:
        return False


def _draw(figure):
    """The PNG, and the warnings on the way, which otherwise would name a line of this file."""
    from warnings import catch_warnings

    file = BytesIO()
    with catch_warnings(record=True) as warnings:
        figure.savefig(file, format="png", bbox_inches="tight")
    return file.getvalue(), warnings


class _Finder:
    """Finds pyplot where it is, and has its module changed when it is loaded."""

    def __init__(self, display):
        self._display = display

    def find_spec(self, name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target) if name == _PYPLOT else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def show(*_, **__):
            """Shows the figures that are open, and closes them."""
            show_open(self._display)

        def exec_module(module):
            execute(module)
            module.show = show  # A plain function: pyplot puts attributes on it.

        spec.loader.exec_module = exec_module
        return spec
