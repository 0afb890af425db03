"""The system calls that no program in a sandbox may make, as a seccomp filter.

A deny list on top of namespaces without capabilities: parts of the kernel that ordinary programs do not use and
attackers do, socket families that no network namespace confines, and ``memfd_create``, whose memory no limit sees.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

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
_SOCKET = (41, 198)
_FAMILIES = (1, 2, 10, 16)
"""The socket families that may be used: local, IPv4, IPv6, netlink. Others, such as vsock, know no namespace."""
_LOAD, _EQUAL, _GREATER_EQUAL, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in what the kernel hands to a filter."""
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_X32_BIT = 0x40000000


@dataclass(frozen=True, slots=True)
class _Step:
    code: int
    operand: int
    if_true: str = ""
    """Label to go to; the next step if empty."""
    if_false: str = ""
    label: str = ""


def denied_calls_filter(machine: str = "") -> bytes:
    """The filter as bwrap's ``--seccomp`` reads it; empty for a machine whose numbers are not known here.

    Denied calls fail with EPERM, sockets of denied families with EAFNOSUPPORT, calls of another architecture (32-bit
    programs, x32) with ENOSYS.
    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return b""
    column = list(_ARCHITECTURES).index(machine)
    denied = sorted({numbers[column] for numbers in _NUMBERS.values()})
    return _assembled(
        [
            _Step(_LOAD, _ARCHITECTURE),
            _Step(_EQUAL, _ARCHITECTURES[machine], if_false="foreign"),
            _Step(_LOAD, _NUMBER),
            _Step(_GREATER_EQUAL, _X32_BIT, if_true="foreign"),
            _Step(_EQUAL, _SOCKET[column], if_true="socket"),
            *(_Step(_EQUAL, number, if_true="denied") for number in denied),
            _Step(_RETURN, _ALLOW),
            _Step(_LOAD, _FIRST_ARGUMENT, label="socket"),
            *(_Step(_EQUAL, family, if_true="permitted") for family in _FAMILIES),
            _Step(_RETURN, _ERRNO | errno.EAFNOSUPPORT),
            _Step(_RETURN, _ALLOW, label="permitted"),
            _Step(_RETURN, _ERRNO | errno.EPERM, label="denied"),
            _Step(_RETURN, _ERRNO | errno.ENOSYS, label="foreign"),
        ]
    )


def _assembled(steps: list[_Step]) -> bytes:
    places = {step.label: place for place, step in enumerate(steps) if step.label}
    packed = []
    for place, step in enumerate(steps):
        jumps = (places[label] - place - 1 if label else 0 for label in (step.if_true, step.if_false))
        packed.append(struct.pack("=HBBI", step.code, *jumps, step.operand))
    return b"".join(packed)
