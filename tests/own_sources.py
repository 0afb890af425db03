"""What a user may have lying about: a git repository with a history, made with git, and SQLite files."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

ADA = ("Ada Byron", "ada@example.com")
BO = ("Bo Li", "bo@example.com")
NORTH = "city,people\nOslo,7\nBergen,3\nVoss,1\nBodø,5\n"
SOUTH = "city,people\nOslo,8\nBergen,3\nVoss,1\nBodø,5\nMoss,2\n"


def git(folder: Path, *arguments: str, who: tuple[str, str] = ADA, day: int = 1) -> str:
    """What git prints in the folder; commits are made by ``who`` on a day of March 2023."""
    date = f"2023-03-{day:02d}T23:30:00-05:00"
    who_and_when = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", who[0]), ("EMAIL", who[1]), ("DATE", date))
    }
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", **who_and_when}
    done = subprocess.run(["git", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def commit(
    folder: Path, subject: str, files: dict[str, str | bytes], *, who: tuple[str, str] = ADA, day: int = 1
) -> None:
    """Write files and commit everything."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", subject, who=who, day=day)


def make_repository(folder: Path, branch: str = "main") -> Path:
    """Five commits by two people with two tags, a branch beside it, an ignored file and a message with a body."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", branch, "--template=")
    commit(folder, "Add cities", {"cities.csv": NORTH, ".gitignore": "*.log\nbuild/\n"}, day=1)
    commit(folder, "Say what this is\n\nSee also: Add cities", {"README.md": "# Cities\n"}, who=BO, day=2)
    commit(folder, "Fix `Oslo`", {"cities.csv": SOUTH}, day=3)
    git(folder, "tag", "v0.1")
    git(folder, "branch", "aside")
    commit(folder, "Add a script, for now", {"src/list a.py": "print(1)\n"}, who=BO, day=4)
    git(folder, "tag", "-a", "v0.2", "-m", "two")
    git(folder, "rm", "-q", "README.md")
    commit(folder, "Drop the notes", {}, day=5)
    (folder / "run.log").write_text("started\n")
    return folder


def make_shop(path: Path, *, wal: bool = False) -> Path:
    """A shop's database as people make them: keys, a foreign key, declared lengths, an index, a view, gaps."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if wal:
            db.execute("PRAGMA journal_mode=wal")
            db.execute("PRAGMA wal_autocheckpoint=0")
        db.executescript("""
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, town TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER REFERENCES customers(id),
                                 day DATE, amount DECIMAL(8,2), state VARCHAR(8) DEFAULT 'open');
            CREATE INDEX idx_orders_state ON orders (state, id);
            CREATE VIEW orders_view AS SELECT * FROM orders;
        """)
        db.execute("BEGIN")
        towns = ("Oslo", "Rome", None)
        db.executemany("INSERT INTO customers VALUES (?,?,?)", [(i, f"Name {i}", towns[i % 3]) for i in range(1, 9)])
        rows = [(i % 8 + 1, f"2024-03-{i + 1:02d}", i * 1.25 + 0.5, ("open", "paid", "sent")[i % 3]) for i in range(30)]
        db.executemany("INSERT INTO orders (customer_id, day, amount, state) VALUES (?,?,?,?)", rows)
        db.execute("COMMIT")
        if wal:
            kept = {p: p.read_bytes() for p in (path, path.with_name(f"{path.name}-wal"))}
    if wal:
        for place, data in kept.items():
            place.write_bytes(data)
    return path


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below the folder, ``.git`` included."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
