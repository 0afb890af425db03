"""The system calls that no program in a sandbox may make, as a seccomp filter.

A deny list on top of namespaces without capabilities: parts of the kernel that ordinary programs do not use and
attackers do, and ``memfd_create``, whose memory no limit would see.
"""

from __future__ import annotations

import errno
import platform
import struct

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBERS = {
    # name: (x86_64, aarch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pivot_root": (155, 41),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setns": (308, 268),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
_LOAD, _EQUAL, _GREATER_EQUAL, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_X32_BIT = 0x40000000


def denied_calls_filter(machine: str = "") -> bytes:
    """The filter as bwrap's ``--seccomp`` reads it; empty for a machine whose numbers are not known here.

    Denied calls fail with EPERM. Calls of another architecture (32-bit programs, x32) fail with ENOSYS.
    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    column = list(_ARCHITECTURES).index(machine)
    denied = sorted({numbers[column] for numbers in _NUMBERS.values()})
    refuse, foreign = len(denied) + 1, len(denied) + 2
    steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, foreign + 2, _ARCHITECTURES[machine]),
        (_LOAD, 0, 0, 0),
        (_GREATER_EQUAL, foreign, 0, _X32_BIT),
        *((_EQUAL, refuse - place - 1, 0, number) for place, number in enumerate(denied)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
