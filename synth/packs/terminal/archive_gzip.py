"""Compressing a single file and keeping it."""

from __future__ import annotations

from trajmill.synth.packs.expect import expect_archive
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import python_way
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Slip, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.archive_pack import archived
from trajmill.synth.packs.terminal.files_choice import base, content_of
from trajmill.synth.packs.terminal.scenarios import CERTAIN_FILES
from trajmill.synth.packs.terminal.table_ways import py

WORTH_PACKING = 1_000
"""Bytes below which nobody compresses a file; it would suit every path's end and crowd out the other skills."""


def gzip_keep(state: State, draw: Draw) -> Application | None:
    """Compress a file with gzip and keep the original."""
    source = state.focus.path
    entry = state.tree.file(source)
    if entry is None or len(entry.data) < WORTH_PACKING:
        return None
    near = f"{source}.gz"
    output = (
        near
        if draw.rng.random() < 0.6 and not state.holds(near)
        else place_output(state, draw, (base(source), f"archived_{base(source)}"), ".gz")
    )
    s, o = sh(source), sh(output)
    exact = state.exact(source)
    shell = (
        draw.pick((f"gzip -k {s}", f"gzip --keep {s}", f"gzip -c {s} > {o}"))
        if output == near
        else draw.pick((f"gzip -c {s} > {o}", f"gzip < {s} > {o}", f"cat {s} | gzip -9 > {o}"))
    )
    script = draw.pick(
        (
            f'import gzip\nimport shutil\n\nwith open({py(source)}, "rb") as plain, gzip.open({py(output)}, "wb") as '
            "packed:\n    shutil.copyfileobj(plain, packed)",
            "import gzip\nfrom pathlib import "
            f"Path\n\nPath({py(output)}).write_bytes(gzip.compress(Path({py(source)}).read_bytes()))",
        )
    )
    slips: tuple[Slip, ...] = ()
    if output == near:
        slips = (
            Slip(
                command=f"gzip {s}",
                why=("gzip writes the compressed file beside the original.", f"gzip makes `{output}` by itself."),
                look=f"wc -c {s}",
                sign="No such file",
                remark=(
                    f"gzip has replaced the original; `{source}` is gone and has to come back.",
                    "Without the option to keep it, gzip removes its input.",
                ),
                undo=f"gzip -d {o}",
                tools=("gzip", "wc"),
            ),
        )
    return Application(
        outputs=(output,),
        asks=(
            f"compress {{it}} with gzip as `{output}` and keep the original beside it",
            f"make a gzip-compressed copy of {{it}} called `{output}`; the uncompressed file stays where it is",
            f"store {{it}} in gzip form as `{output}`, without removing the original",
            f"`{output}` should be {{it}} in gzip format, with the plain file still there afterwards",
        ),
        results=(
            "{it} compressed with gzip (the original stays)",
            "a gzip-compressed copy of {it}, which itself stays",
        ),
        rules=(),
        ways=(
            Way(
                "gzip",
                ("gzip", "cat"),
                (
                    Act(
                        mkdir_first(state, output, shell),
                        (
                            "gzip would remove its input unless told to keep it or to write to standard output.",
                            f"The original of {len(entry.data)} bytes has to stay, so I don't let gzip replace it."
                            if exact
                            else "The original has to stay, so I don't let gzip replace it.",
                            f"gzip compresses `{base(source)}`, and the plain file remains.",
                        ),
                    ),
                ),
            ),
            Way(
                "python",
                ("python3",),
                (
                    Act(
                        mkdir_first(state, output, python_way(script)),
                        (
                            "The gzip module writes the compressed copy and leaves the original alone.",
                            f"In Python I read `{base(source)}` and write it through gzip.",
                            "A copy through gzip.open or gzip.compress never touches the input.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(expect_archive(output, "gz", {base(source): content_of(state, source)}),),
        after=archived(state, output, "gz-copy", "gz", {base(source): entry.data}, exact),
        done=(
            f"compressed `{source}` to `{output}`",
            f"`{output}` is the gzip form of `{source}`, which is still there",
        ),
        slips=slips,
    )


SKILLS = (
    PackSkill("gzip-keep", "archives", "Compress a file and keep the original.", CERTAIN_FILES, "gz-copy", gzip_keep),
)
