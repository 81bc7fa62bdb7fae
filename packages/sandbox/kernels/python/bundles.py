"""What a value looks like: MIME bundles. Binary types in base64, JSON as text; plain text always."""

from binascii import b2a_base64

import figures
import values

_LONGEST_TEXT = 200_000
_LARGEST_BUNDLE = 10_000_000  # Characters; on the wire one may take six bytes.

_METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_json_", "application/json"),
)


def bundle(value):
    """The bundle of a value. A representation that raises is left out; of plain text, the error is told."""
    forms = {"text/plain": plain_text(value)}
    # Asked of its type: the value's own __class__ may be anything, also a property that raises.
    if issubclass(type(value), type):
        return forms
    forms.update(_from_mimebundle(value))
    _add_picture(forms, value)
    for method, media_type in _METHODS:
        if media_type not in forms:
            form = _call(value, method)
            if form is not None:
                forms[media_type] = _as_text(media_type, form)
    return _within_bounds(forms)


def plain_text(value):
    try:
        text = repr(value)
    except Exception as error:
        text = "<%s whose repr() raised %s>" % (type(value).__name__, type(error).__name__)
    if len(text) > _LONGEST_TEXT:
        half = _LONGEST_TEXT // 2
        text = "%s\n[… %d characters left out …]\n%s" % (text[:half], len(text) - 2 * half, text[-half:])
    return text


def _within_bounds(forms):
    """Leaves out what is too large to be sent, and says so in the plain text."""
    kept, size, notes = {}, 0, []
    for media_type, form in forms.items():
        if size + len(form) > _LARGEST_BUNDLE:
            notes.append("\n[%s of %d characters left out]" % (media_type, len(form)))
        else:
            kept[media_type] = form
            size += len(form)
    if notes:
        kept["text/plain"] = kept.get("text/plain", "") + "".join(notes)
    return kept


def _from_mimebundle(value):
    forms = _call(value, "_repr_mimebundle_")
    if isinstance(forms, tuple):
        forms = forms[0]
    if not isinstance(forms, dict):
        return {}
    return {str(media_type): _as_text(media_type, form) for media_type, form in forms.items()}


def _add_picture(forms, value):
    """Of a figure, which is nothing without its picture, what is wrong with it is told."""
    try:
        picture = figures.picture(value)
    except Exception as error:
        forms["text/plain"] = "%s\n[image/png left out: %s]" % (forms.get("text/plain", ""), plain_text(error))
        return
    if picture is not None:
        forms["image/png"] = picture


def _call(value, method):
    try:
        found = getattr(value, method, None)
        return found() if callable(found) else None
    except Exception:
        return None


def _as_text(media_type, form):
    if isinstance(form, tuple):
        form = form[0]
    if isinstance(form, (bytes, bytearray)):
        return b2a_base64(form, newline=False).decode("ascii")
    if isinstance(form, str):
        return form
    return values.dumps(form) if media_type == "application/json" else str(form)
