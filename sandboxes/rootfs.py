"""What a sandbox looks like inside: the private root, the fixed environment and the limits, as bwrap arguments.

Two levels. The outer one holds the namespaces and the files and runs nothing but a holder. Every program of the agent
or of a verifier runs in an inner one: own processes and shared memory, which end with it, no capabilities, no further
namespaces, all read-only but the workspace, the home, ``/tmp`` and ``/dev/shm``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from trajmill.sandboxes.base import Limits, SandboxSpec
from trajmill.schemas.errors import UsageError

AGENT_ID = 1000
TOOLS = "/run/sandbox"
"""Folder of the outer root that holds the bwrap program for the inner level and the session's command file."""
COMMAND_FILE = "/run/command"
SPARE_PROCESSES = 16
"""Processes that a control group allows beyond the limit: our own in it, and ended ones that nobody has waited for."""
_SPARE_FOR_WATCH = 32
"""Processes that the rlimit allows beyond the limit, so that the supervisor sees the limit broken and can name it."""
_RESERVED = frozenset(
    ["bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "tmp", "usr", "var"]
)
_HOST_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "mime.types", "perl")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_DATE = "2024-01-01T00:00:00Z"


def require_usable(spec: SandboxSpec) -> None:
    """Raise UsageError for a workdir, user, label or variable that this backend cannot serve."""
    parts = spec.workdir.split("/")[1:]
    if not spec.workdir.startswith("/") or any(part in ("", ".", "..") for part in parts) or parts[0] in _RESERVED:
        raise UsageError(f"The workdir {spec.workdir!r} is not a plain absolute folder outside the system folders.")
    if not re.fullmatch(r"[a-z_][a-z0-9_-]{0,30}", spec.user) or spec.user == "root":
        raise UsageError(f"The user {spec.user!r} is not a plain user name other than root.")
    for name, value in spec.env.items():
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or "\0" in value:
            raise UsageError(f"The environment variable {name!r} has a name or value that no process can have.")


def home_of(spec: SandboxSpec) -> str:
    """Home folder of the sandbox's user."""
    return f"/home/{spec.user}"


def writable_folders(spec: SandboxSpec) -> tuple[str, ...]:
    """The folders that the agent can write to, each on a file system of its own of ``disk_mb``."""
    home = home_of(spec)
    inside = spec.workdir == home or spec.workdir.startswith(f"{home}/")
    return (home, "/tmp") if inside else (spec.workdir, home, "/tmp")


def fixed_environment(spec: SandboxSpec) -> dict[str, str]:
    """All variables of a process inside; nothing of the driver's environment is among them."""
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "Agent"), ("EMAIL", "agent@example.org"), ("DATE", _DATE))
    }
    return {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": home_of(spec),
        "USER": spec.user,
        "LOGNAME": spec.user,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "DEBIAN_FRONTEND": "noninteractive",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        **who,
        **spec.env,
    }


def outer_arguments(spec: SandboxSpec, files: Mapping[str, int]) -> list[str]:
    """Arguments for the outer bwrap; ``files`` maps paths inside to descriptors whose content they get.

    Not ``--die-with-parent``: a bwrap that is killed between its clone and its go-ahead leaves a child that waits for
    ever. The outer level ends when its holder reads the end of its input, which the end of the driver brings about.
    """
    size = str(spec.limits.disk_mb * 1024 * 1024)
    arguments = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    arguments += ["--hostname", "sandbox", "--uid", str(AGENT_ID), "--gid", str(AGENT_ID)]
    arguments += ["--new-session", "--ro-bind", "/usr", "/usr"]
    if Path("/usr/local").is_dir():
        arguments += ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]
    arguments += _system_links()
    for folder in ("/dev", "/dev/shm", "/etc", "/home", "/run", TOOLS, "/sys", "/var"):
        arguments += ["--perms", "0755", "--dir", folder]
    for name in _HOST_ETC:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    arguments += [
        "--symlink",
        "../usr/share/zoneinfo/Etc/UTC",
        "/etc/localtime",
        "--symlink",
        "/proc/mounts",
        "/etc/mtab",
    ]
    arguments += ["--symlink", "../usr/lib/os-release", "/etc/os-release", "--proc", "/proc"]
    for name in _DEVICES:
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    arguments += ["--symlink", "../tmp", "/var/tmp"]
    for path, fd in files.items():
        arguments += ["--perms", "0755" if path.startswith(TOOLS) else "0644", "--file", str(fd), path]
    for folder in writable_folders(spec):
        arguments += ["--perms", "1777" if folder == "/tmp" else "0755", "--size", size, "--tmpfs", folder]
    return [*arguments, "--dir", spec.workdir, "--chdir", "/"]


def inner_arguments(spec: SandboxSpec, env: Mapping[str, str], call_filter: int | None) -> list[str]:
    """Arguments for an inner bwrap, run within the outer root; ``call_filter`` is a descriptor of a seccomp filter."""
    arguments = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try", "--disable-userns"]
    arguments += ["--die-with-parent", "--new-session"]
    arguments += ["--cap-drop", "ALL", "--dev-bind", "/", "/", "--remount-ro", "/"]
    if call_filter is not None:
        arguments += ["--seccomp", str(call_filter)]
    arguments += ["--dev", "/dev", "--perms", "1777", "--size", str(spec.limits.disk_mb * 1024 * 1024)]
    arguments += ["--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--proc", "/proc"]
    for name in ("cmdline", "keys"):
        arguments += ["--dev-bind-try", "/dev/null", f"/proc/{name}"]
    arguments += ["--chdir", spec.workdir, "--clearenv"]
    for name, value in {**fixed_environment(spec), **env}.items():
        arguments += ["--setenv", name, value]
    return arguments


def limit_arguments(limits: Limits) -> list[str]:
    """Arguments for prlimit, which bind every process of an inner level; a full disk shows before a too large file."""
    return [
        f"--nproc={limits.processes + _SPARE_FOR_WATCH}",
        f"--fsize={(limits.disk_mb + 1) * 1024 * 1024}",
        "--nofile=1024",
        "--core=0",
    ]


def synthetic_etc(spec: SandboxSpec) -> dict[str, bytes]:
    """The files of ``/etc`` that are made up, so that nothing of the host's accounts shows."""
    user, home = spec.user, home_of(spec)
    passwd = f"root:x:0:0:root:/root:/usr/sbin/nologin\n{user}:x:{AGENT_ID}:{AGENT_ID}:{user}:{home}:/bin/bash\n"
    group = f"root:x:0:\n{user}:x:{AGENT_ID}:\n"
    nobody = "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    return {
        "/etc/passwd": (passwd + nobody).encode(),
        "/etc/group": f"{group}nogroup:x:65534:\n".encode(),
        "/etc/hosts": b"127.0.0.1 localhost sandbox\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    }


def _system_links() -> list[str]:
    arguments: list[str] = []
    for name in ("bin", "lib", "lib32", "lib64", "libx32", "sbin"):
        path = Path("/") / name
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    return arguments
