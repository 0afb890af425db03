"""Archives set up from real files, as bytes with fixed times: tar, zip, single files, and lists of checksums."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
from collections.abc import Mapping

from trajmill.schemas.tree import FILE_TIME, FileEntry, Tree
from trajmill.synth.packs.facts import Archive, Folder, Lines
from trajmill.synth.packs.naming import place_input, slug, stem
from trajmill.synth.packs.skill import Draw, Start
from trajmill.synth.packs.state import Artefact, State, World
from trajmill.synth.packs.terminal.files_choice import base
from trajmill.synth.packs.terminal.files_starts import disordered, folder_files, table_bytes
from trajmill.synth.packs.terminal.json_material import material_rows
from trajmill.synth.packs.terminal.text_starts import numbers_start, prose_start, values_start
from trajmill.synth.sources.material import Material

_ZIP_TIME = (2024, 1, 1, 0, 0, 0)


def tar_start(material: Material, draw: Draw) -> World | None:
    """A tar archive, mostly compressed, of a folder of real files."""
    members = _members(material, draw)
    if members is None:
        return None
    form = draw.pick(("tar.gz", "tar.gz", "tar.gz", "tar.xz", "tar"))
    ending = draw.pick(("tar.gz", "tgz")) if form == "tar.gz" else form
    return _archive_world(
        f"{_name(material, draw)}.{ending}", tar_bytes(members, form), "tar-archive", form, members, draw
    )


def zip_start(material: Material, draw: Draw) -> World | None:
    """A zip archive of a folder of real files."""
    members = _members(material, draw)
    if members is None:
        return None
    return _archive_world(f"{_name(material, draw)}.zip", zip_bytes(members), "zip-archive", "zip", members, draw)


def gz_start(material: Material, draw: Draw) -> World | None:
    """A real table or text, compressed; the plain file is not there."""
    if draw.rng.random() < 0.6:
        rows = material_rows(material, draw, 12, 150)
        path, data = place_input(f"{slug(stem(material.name))}.csv", draw), table_bytes(rows) if rows else b""
    else:
        world = draw.pick((prose_start, values_start, numbers_start))(material, draw)
        path = world.state.focus.path if world else ""
        data = world.state.data(path) if world else b""
    if not 60 <= len(data) <= 48_000:
        return None
    facts = Archive("gz", {base(path): data})
    tree = Tree({f"{path}.gz": FileEntry(gzip.compress(data, mtime=FILE_TIME))})
    return World(tree, State(tree, Artefact(f"{path}.gz", "gz-file", facts)))


def checksums_start(material: Material, draw: Draw) -> World | None:
    """A folder and a list of its checksums that was made before one to three files changed and one perhaps vanished."""
    files = folder_files(material, draw)
    if files is None:
        return None
    folder = draw.pick(("delivery", "release", "mirror", "backup", slug(stem(material.name))))
    algorithm = draw.pick(("sha256", "sha256", "md5", "sha1"))
    listed = dict(sorted(files.items()))
    changed = draw.some([n for n, data in listed.items() if len(data) > 20], 1, 3)
    for name in changed:
        files[name] = _altered(files[name], draw)
    gone = draw.some([n for n in listed if n not in changed], 1, 1) if draw.rng.random() < 0.4 else ()
    present = {n: data for n, data in sorted(files.items()) if n not in gone}
    inside = draw.pick((True, False))
    lines = [
        f"{hashlib.new(algorithm, data).hexdigest()}  {n if inside else f'{folder}/{n}'}" for n, data in listed.items()
    ]
    name = draw.pick((f"{algorithm.upper()}SUMS", f"checksums.{algorithm}"))
    path = f"{folder}/{name}" if inside else name
    entries = {f"{folder}/{n}": FileEntry(data) for n, data in present.items()}
    tree = Tree({**entries, path: FileEntry("".join(f"{line}\n" for line in lines).encode())})
    return World(tree, State(tree, Artefact(path, "checksum-list", Lines(tuple(lines)))))


def unpacked_start(material: Material, draw: Draw) -> World | None:
    """A folder as it comes out of an archive, with what may have gathered in it since."""
    members = _members(material, draw)
    if members is None:
        return None
    members = dict(sorted(disordered(members, draw).items()))
    folder = draw.pick(("unpacked", "extracted", "incoming"))
    tree = Tree({f"{folder}/{n}": FileEntry(data) for n, data in members.items()})
    return World(tree, State(tree, Artefact(folder, "unpacked-folder", Folder(members))))


def tar_bytes(members: Mapping[str, bytes], form: str) -> bytes:
    """A tar archive of these members in one of the forms ``tar``, ``tar.gz``, ``tar.xz``; equal input, equal bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(members.items()):
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(data), FILE_TIME, 0o644
            archive.addfile(info, io.BytesIO(data))
    plain = buffer.getvalue()
    if form == "tar.gz":
        return gzip.compress(plain, mtime=FILE_TIME)
    return lzma.compress(plain) if form == "tar.xz" else plain


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """A zip archive of these members; equal input, equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(members.items()):
            info = zipfile.ZipInfo(name, _ZIP_TIME)
            info.external_attr, info.compress_type = 0o100644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def _members(material: Material, draw: Draw) -> dict[str, bytes] | None:
    files = folder_files(material, draw)
    if files is None:
        return None
    top = draw.pick(("export", "project", "release-1.2", "survey", slug(stem(material.name))))
    return {f"{top}/{name}": data for name, data in sorted(files.items())}


def _name(material: Material, draw: Draw) -> str:
    return draw.pick((slug(stem(material.name)), f"{slug(stem(material.name))}_2024-03", "backup", "export", "bundle"))


def _archive_world(name: str, data: bytes, scenario: str, form: str, members: Mapping[str, bytes], draw: Draw) -> World:
    path = place_input(name, draw)
    tree = Tree({path: FileEntry(data)})
    return World(tree, State(tree, Artefact(path, scenario, Archive(form, dict(members)))))


def _altered(data: bytes, draw: Draw) -> bytes:
    """A damaged copy: cut short, or one digit or letter changed."""
    if draw.rng.random() < 0.4:
        return data[: len(data) - draw.rng.randint(1, 9)]
    places = [i for i, byte in enumerate(data) if chr(byte).isalnum() and byte < 128]
    at = draw.pick(places)
    new = b"7" if data[at : at + 1] != b"7" else b"1"
    return data[:at] + new + data[at + 1 :]


STARTS = (
    Start("tar-archive", tar_start),
    Start("zip-archive", zip_start),
    Start("gz-file", gz_start),
    Start("checksum-list", checksums_start),
    Start("unpacked-folder", unpacked_start),
)
