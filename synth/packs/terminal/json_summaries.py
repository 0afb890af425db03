"""A JSON object of figures as a table."""

from __future__ import annotations

from trajmill.schemas.content.tables import make_table
from trajmill.synth.packs.facts import Document
from trajmill.synth.packs.naming import mkdir_first, place_output, sh
from trajmill.synth.packs.outputs import literal, python_way, write_table
from trajmill.synth.packs.skill import Act, Application, Draw, PackSkill, Way
from trajmill.synth.packs.state import State
from trajmill.synth.packs.terminal.json_ways import (
    is_number,
    one_spelling,
    spelled,
    tame,
)
from trajmill.synth.packs.terminal.table_choice import brief


def summary_to_csv(state: State, draw: Draw) -> Application | None:
    """Write an object of figures as a two-column table, sorted by name."""
    facts = state.focus.facts
    if not isinstance(facts, Document) or not isinstance(facts.value, dict) or len(facts.value) < 2:
        return None
    if facts.value.keys() >= {"min", "max"}:
        return None
    items = sorted(facts.value.items())
    if not all(is_number(v) and one_spelling(v) and "," not in k and tame(k) for k, v in items):
        return None
    first, second = draw.pick((("name", "figure"), ("key", "value"), ("item", "amount"), ("entry", "number")))
    table = make_table((first, second), [(k, spelled(v)) for k, v in items])
    output = place_output(state, draw, (brief(state.focus.path), f"{brief(state.focus.path)}_table", "figures"), ".csv")
    written = write_table(state, draw, output, table, "group-summary")
    return Application(
        outputs=(output,),
        asks=(
            f"list the entries of {{it}} in the CSV file `{output}` with the columns `{first}` and `{second}`, "
            f"sorted by `{first}` in code point order",
            f"make a two-column CSV `{output}` out of {{it}}, header `{first}`,`{second}`, one row per key and the "
            f"keys in code point order",
            f"turn the object in {{it}} into rows: `{output}` is CSV with header, `{first}` for the key and "
            f"`{second}` for its number, ordered by key (code points)",
            f"save {{it}} as a table in `{output}`, comma-separated, columns `{first}` and `{second}`, keys sorted "
            f"by code point",
        ),
        results=(
            f"the entries of {{it}} as CSV with the columns `{first}` and `{second}`, sorted by `{first}` in code "
            f"point order",
            f"a two-column CSV (`{first}`, `{second}`) of the keys and numbers in {{it}}, keys in code point order",
        ),
        rules=written.rules,
        ways=(
            Way(
                "jq",
                ("jq",),
                (
                    Act(
                        mkdir_first(
                            state,
                            output,
                            draw.pick(
                                (
                                    f'jq -r \'"{first},{second}", (to_entries | sort_by(.key)[] | '
                                    f'"\\(.key),\\(.value)")\' {sh(state.focus.path)} > {sh(output)}',
                                    f'jq -r \'(["{first}", "{second}"] | join(",")), (. as $all | keys[] | '
                                    f'"\\(.),\\($all[.])")\' {sh(state.focus.path)} > {sh(output)}',
                                )
                            ),
                        ),
                        (
                            "The object is flat, so its entries can be printed one per line after the header.",
                            f"There are {len(items)} keys; I print them in sorted order with their numbers.",
                            "No key holds a comma, so simple joining is right.",
                        ),
                    ),
                ),
            ),
            Way(
                "python",
                ("python3",),
                (
                    Act(
                        mkdir_first(
                            state,
                            output,
                            python_way(
                                f"import csv\nimport json\n\nfigures = json.load(open({literal(state.focus.path)}))\n"
                                f'with open({literal(output)}, "w", newline="") as out:\n'
                                f'    writer = csv.writer(out, lineterminator="\\n")\n    '
                                f'writer.writerow(["{first}", "{second}"])\n'
                                f"    writer.writerows(sorted(figures.items()))"
                            ),
                        ),
                        (
                            "Sorting the items and writing them with the csv module gives the table.",
                            f"I load the {len(items)} figures and write them as rows in key order.",
                            "Python sorts keys by code point, which is the order wanted.",
                        ),
                    ),
                ),
            ),
        ),
        checks=(written.check,),
        after=written.state,
        done=(
            f"`{output}` lists the {len(items)} figures as rows",
            f"wrote {len(items)} rows of `{first}` and `{second}` to `{output}`",
        ),
    )


SKILLS = (
    PackSkill(
        "json-summary-to-csv",
        "json",
        "Write a flat JSON object of figures as a two-column CSV table.",
        ("json-summary",),
        "group-summary",
        summary_to_csv,
    ),
)
