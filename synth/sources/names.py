"""File names as people see them: no raw control byte, no invalid UTF-8, nothing that a terminal would act on."""

from __future__ import annotations

import unicodedata

_REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def shown_name(name: str) -> str:
    r"""A name in double quotes with odd bytes escaped: ``"a\nb.csv"``, ``"bad-\xff.csv"``."""
    return '"' + escaped_name(name) + '"'


def escaped_name(name: str) -> str:
    r"""A name that is safe to print and to store: control characters and bytes that are not UTF-8 as escapes."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(_escape(c) if is_control(c) else c for c in text)


def is_control(character: str) -> bool:
    """A control character, a line or paragraph separator, or one that reorders text on a screen."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in _REORDERING


def name_fault(name: str) -> str:
    """Why a name cannot be taken, or the empty string."""
    if any(0xDC80 <= ord(c) <= 0xDCFF for c in name):
        return "has a name that is not UTF-8"
    if any(is_control(c) for c in name):
        return "has a control character in its name"
    return ""


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
