"""Figures of matplotlib: shown by themselves at the end of the cell that drew them."""

import sys
from binascii import b2a_base64
from io import BytesIO


def show_open(display):
    """Shows the figures that pyplot holds, and closes them, so that the next cell begins with none."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    try:
        for number in pyplot.get_fignums():
            display(pyplot.figure(number))
        pyplot.close("all")
    except Exception as error:
        sys.stderr.write("a figure cannot be shown: %s\n" % error)


def picture(value):
    """A figure as PNG, in base64; None for anything else."""
    if type(value).__module__ != "matplotlib.figure":
        return None
    file = BytesIO()
    value.savefig(file, format="png", bbox_inches="tight")
    return b2a_base64(file.getvalue(), newline=False).decode("ascii")
