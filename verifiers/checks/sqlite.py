"""``sqlite``: the database answers a query with these rows. The file is opened only inside the fresh sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping

from trajmill.schemas.ids import Json
from trajmill.verifiers.base import Evidence
from trajmill.verifiers.checks.content import read_file
from trajmill.verifiers.finding import Finding, compare_bags, compare_sequences, failed, short

QUERY_TIMEOUT_S = 20.0
ROWS_TO_SPARE = 1_000
"""Rows beyond the expected ones that are counted."""

PROBE = """
import json, sqlite3, sys
path, query, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
try:
    rows = sqlite3.connect(path).execute(query).fetchmany(most)
    rows = [[{"blob": v.hex()} if isinstance(v, bytes) else v for v in row] for row in rows]
    print(json.dumps({"rows": rows}))
except Exception as error:
    print(json.dumps({"error": str(error)}))
"""


async def check_sqlite(params: Mapping[str, Json], evidence: Evidence) -> Finding:
    """Params: ``path``, ``query``, ``rows``, ``ordered``. Needs ``python3`` in the sandbox."""
    path = str(params["path"])
    data = read_file(evidence.tree, path)
    if isinstance(data, Finding):
        return data
    box = await evidence.box()
    want = [list(row) for row in params["rows"]]
    argv = ["python3", "-I", "-S", "-c", PROBE, f"./{path}", str(params["query"]), str(len(want) + ROWS_TO_SPARE)]
    result = await box.exec(argv, timeout=QUERY_TIMEOUT_S)
    if result.timed_out:
        return failed(f"{path} did not answer in {QUERY_TIMEOUT_S:.0f} s")
    if result.exit_code is None or result.omitted_bytes:
        return failed(f"{path} needs more memory or room for its answer than there is")
    if result.exit_code != 0:
        raise RuntimeError(
            f"the probe ended with {result.exit_code}: {short(result.stderr.decode('utf-8', 'replace'))}"
        )
    answer = json.loads(result.stdout)
    if "error" in answer:
        return failed(f"{path} cannot answer the query: {answer['error']}")
    compare = compare_sequences if params.get("ordered", True) else compare_bags
    return compare(want, answer["rows"], f"{path} row")
