"""Values on the wire: JSON, with {"$": [tag, data]} for what JSON cannot say (see src/values/encode.ts)."""

import json
from binascii import a2b_base64, b2a_base64
from math import isfinite


def _codec():
    """JSON by the compiled parts alone, where there are any: they ask nothing of modules that user code may have changed."""
    encoder, scanner = json.encoder.c_make_encoder, json.scanner.c_make_scanner
    if encoder is None or scanner is None:
        return json.dumps, json.loads
    write = encoder(None, _refuse, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True)
    read = scanner(json.JSONDecoder())
    join = "".join

    def loads(text):
        return read(text.decode("utf-8", "surrogatepass"), 0)[0]

    return lambda value: join(write(value, 0)), loads


def _refuse(value):
    raise TypeError("%s is not JSON" % type(value).__name__)


dumps, loads = _codec()

_SAFE = 2**53 - 1
_DEEPEST = 200


def encode(value, depth=0):
    """The JSON form of a value; TypeError for one that has none."""
    if depth > _DEEPEST:
        raise TypeError("a value that is nested too deeply, or contains itself, cannot be passed to a tool")
    if value is None or value is True or value is False or type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        number = int(value)
        return number if -_SAFE <= number <= _SAFE else {"$": ["int", _digits(number)]}
    if isinstance(value, float):
        number = float(value)
        return number if isfinite(number) else {"$": ["float", str(number)]}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"$": ["bytes", b2a_base64(bytes(value), newline=False).decode("ascii")]}
    if isinstance(value, dict):
        return _encode_dict(value, depth)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(item, depth + 1) for item in value]
    return _encode_foreign(value, depth)


def _encode_dict(value, depth):
    pairs = [(key, encode(item, depth + 1)) for key, item in value.items()]
    if all(type(key) is str and key != "$" for key, _ in pairs):
        return dict(pairs)
    return {"$": ["dict", [[encode(key, depth + 1), item] for key, item in pairs]]}


def _encode_foreign(value, depth):
    """Arrays and scalars of numpy and its like know their Python form; dates have an ISO one."""
    for method in ("tolist", "isoformat"):
        convert = getattr(value, method, None)
        if callable(convert):
            return encode(convert(), depth + 1)
    raise TypeError("a value of type %s cannot be passed to a tool" % type(value).__name__)


def _digits(number):
    # Python refuses to write out integers of more than some thousands of digits.
    try:
        return str(number)
    except ValueError:
        raise TypeError("an integer of this size cannot be passed to a tool") from None


def decode(wire):
    """The value that JSON from the host stands for."""
    if type(wire) is list:
        return [decode(item) for item in wire]
    if type(wire) is not dict:
        return wire
    if "$" in wire:
        tag, data = wire["$"]
        return _DECODERS[tag](data)
    return {key: decode(item) for key, item in wire.items()}


_DECODERS = {
    "bytes": a2b_base64,
    "int": int,
    "float": float,
    "dict": lambda pairs: {decode(key): decode(item) for key, item in pairs},
}
