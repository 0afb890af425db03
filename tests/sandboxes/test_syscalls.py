from __future__ import annotations

import errno
import struct

import pytest

from trajmill.sandboxes.syscalls import denied_calls_filter

ALLOWED, X86_64, AARCH64 = 0x7FFF0000, 0xC000003E, 0xC00000B7


def decision(program: bytes, architecture: int, number: int, argument: int = 1) -> int:
    """What the kernel's machine makes of the filter."""
    steps: list[tuple[int, int, int, int]] = list(struct.iter_unpack("=HBBI", program))
    value, place = 0, 0
    while True:
        code, if_true, if_false, operand = steps[place]
        place += 1
        if code == 0x20:
            value = {0: number, 4: architecture, 16: argument}[operand]
        elif code == 0x06:
            return operand
        else:
            held = value == operand if code == 0x15 else value >= operand
            place += if_true if held else if_false


@pytest.mark.parametrize(("machine", "architecture", "memfd"), [("x86_64", X86_64, 319), ("aarch64", AARCH64, 279)])
def test_each_call_is_allowed_denied_or_foreign(machine: str, architecture: int, memfd: int) -> None:
    program = denied_calls_filter(machine)
    decisions = {number: decision(program, architecture, number) for number in range(600)}
    denied = {number for number, what in decisions.items() if what == 0x50000 | errno.EPERM}
    assert {memfd, 425, 447} <= denied
    assert len(denied) == 34
    assert {what for number, what in decisions.items() if number not in denied} == {ALLOWED}
    foreign = 0x50000 | errno.ENOSYS
    assert decision(program, 0x40000003, 5) == foreign
    assert decision(program, architecture, 0x40000001) == foreign


@pytest.mark.parametrize(("machine", "architecture", "socket"), [("x86_64", X86_64, 41), ("aarch64", AARCH64, 198)])
def test_only_sockets_that_a_namespace_confines_are_allowed(machine: str, architecture: int, socket: int) -> None:
    program = denied_calls_filter(machine)
    allowed = [family for family in range(64) if decision(program, architecture, socket, family) == ALLOWED]
    assert allowed == [1, 2, 10, 16]
    assert decision(program, architecture, socket, 40) == 0x50000 | errno.EAFNOSUPPORT


def test_machine_with_unknown_numbers_has_no_filter() -> None:
    assert denied_calls_filter("riscv64") == b""
