"""A sample on disk: its paths, how they were asked for, and the state from which it can go on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path as FilePath

import orjson

from trajmill.schemas.errors import ConfigError, InputError
from trajmill.schemas.graph import Path
from trajmill.schemas.ids import Json
from trajmill.synth.graphs.sample_records import GivenUp, Sample, SampleSpec, SampleState

FORMAT = "trajmill-path-sample"
VERSION = 1


def encode_sample(sample: Sample) -> dict[str, Json]:
    """The sample as a JSON document; each path carries its content id."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "graph": sample.graph,
        "spec": asdict(sample.spec),
        "paths": [
            {"index": path.index, "id": path.id, "scenarios": list(path.scenarios), "skills": list(path.skills)}
            for path in sample.paths
        ],
        "rejected": dict(sample.rejected),
        "given_up": [asdict(stop) for stop in sample.given_up],
        "state": sample.state.to_json(),
    }


def decode_sample(document: Json, *, name: str) -> Sample:
    """Read what ``encode_sample`` gave. Raises InputError, naming the file, for anything else or a changed path."""
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise InputError(f"{name} is not a path sample of Trajmill, version {VERSION}.")
    try:
        spec = _spec_of(document["spec"])
        graph = str(document["graph"])
        paths = tuple(_path_of(record, graph, spec.seed, name) for record in document["paths"])
        rejected = tuple(sorted((str(reason), int(count)) for reason, count in document["rejected"].items()))
        given_up = tuple(
            GivenUp(int(stop["length"]), str(stop["domain"]), str(stop["reason"])) for stop in document["given_up"]
        )
        state = SampleState.from_json(document["state"])
    except (KeyError, TypeError, ValueError, AttributeError, ConfigError) as error:
        raise InputError(f"{name} is a damaged path sample: {type(error).__name__} at {error}.") from error
    if [path.index for path in paths] != list(range(state.index)):
        raise InputError(f"{name} is a damaged path sample: it holds {len(paths)} paths, its state says {state.index}.")
    return Sample(graph, spec, paths, rejected, given_up, state)


def write_sample(sample: Sample, path: FilePath, *, replace: bool) -> None:
    """Write a sample whole or not at all.

    Raises InputError if the file exists (unless ``replace``) or cannot be written.
    """
    if path.exists() and not replace:
        raise InputError(f"{path} exists; nothing was written.", remedy="Choose another name.")
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(orjson.dumps(encode_sample(sample), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def read_sample(path: FilePath) -> Sample:
    """Read a sample file. Raises InputError, naming the file and what is wrong with it."""
    try:
        document = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}.") from error
    return decode_sample(document, name=str(path))


def _spec_of(value: Json) -> SampleSpec:
    return SampleSpec(
        paths=int(value["paths"]),
        seed=int(value["seed"]),
        shortest=int(value["shortest"]),
        longest=int(value["longest"]),
        starts=tuple(value["starts"]),
        goals=tuple(value["goals"]),
        domains=tuple(value["domains"]),
        use=tuple(value["use"]),
        avoid=tuple(value["avoid"]),
        length_mix=tuple((int(length), float(weight)) for length, weight in value["length_mix"]),
        domain_mix=tuple((str(domain), float(weight)) for domain, weight in value["domain_mix"]),
        tries=int(value["tries"]),
    )


def _path_of(record: Json, graph: str, seed: int, name: str) -> Path:
    path = Path(graph, int(record["index"]), seed, tuple(record["scenarios"]), tuple(record["skills"]))
    if path.id != record["id"]:
        raise InputError(f"{name} was changed after it was written: path {path.index} does not match its id.")
    return path
