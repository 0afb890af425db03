"""Real public data that ordinary packages ship: the source of the demo, with licence and origin of every file."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from trajmill.schemas.errors import UnavailableError
from trajmill.schemas.ids import digest_bytes
from trajmill.synth.sources.material import Material, Source, left_out
from trajmill.synth.sources.recognise import recognise

_PUBLIC_DOMAIN = "public domain"
_BSD = "BSD-3-Clause"
_AS_SHIPPED = "not stated for the data; the package is MIT"
_ISO = "LGPL-2.1-only"


@dataclass(frozen=True, slots=True)
class _Shipped:
    """A data file of a package and what the package says about its terms."""

    file: str
    licence: str
    author: str = ""


_VEGA = (
    _Shipped("airports.csv", _PUBLIC_DOMAIN, "ourairports.com"),
    _Shipped("anscombe.json", _AS_SHIPPED, "F. J. Anscombe, 1973"),
    _Shipped("barley.json", _AS_SHIPPED, "F. R. Immer and others, 1934"),
    _Shipped("burtin.json", _BSD, "W. Burtin, 1951, through protovis"),
    _Shipped("cars.json", _AS_SHIPPED, "D. Donoho and E. Ramos, 1982"),
    _Shipped("crimea.json", _AS_SHIPPED, "F. Nightingale, 1858"),
    _Shipped("driving.json", _AS_SHIPPED, "New York Times, 2010, through protovis"),
    _Shipped("iowa-electricity.csv", _PUBLIC_DOMAIN, "U.S. Energy Information Administration"),
    _Shipped("iris.json", _AS_SHIPPED, "R. A. Fisher, 1936"),
    _Shipped("ohlc.json", _AS_SHIPPED, "Chicago Board Options Exchange, 2009"),
    _Shipped("seattle-temps.csv", _PUBLIC_DOMAIN, "NOAA"),
    _Shipped("seattle-weather.csv", _PUBLIC_DOMAIN, "NOAA"),
    _Shipped("sf-temps.csv", _PUBLIC_DOMAIN, "NOAA"),
    _Shipped("stocks.csv", _AS_SHIPPED),
    _Shipped("us-employment.csv", _PUBLIC_DOMAIN, "U.S. Bureau of Labor Statistics"),
    _Shipped("wheat.json", _PUBLIC_DOMAIN, "W. Playfair, 1822, through M. Bostock"),
)
_PYCOUNTRY = tuple(
    _Shipped(f"{name}.json", _ISO, "Debian iso-codes")
    for name in ("iso15924", "iso3166-1", "iso3166-2", "iso3166-3", "iso4217", "iso639-3", "iso639-5")
)
_LEFT_OUT = (left_out("la-riots.csv", "personal_data", "names of people who died; not needed for practice tasks"),)


def demo_source() -> Source:
    """The demo's files, in order of their names.

    Raises UnavailableError naming the extra to install if a package or one of its files is missing.
    """
    shipped = [
        *_materials("vega_datasets", "vega_datasets", "_data", _VEGA),
        *_materials("pycountry", "pycountry", "databases", _PYCOUNTRY),
    ]
    return Source("demo", tuple(sorted(shipped, key=lambda m: m.name)), _LEFT_OUT)


def _materials(package: str, distribution: str, folder: str, files: tuple[_Shipped, ...]) -> list[Material]:
    place = _place(package) / folder
    version = importlib.metadata.version(distribution)
    return [_material(place / s.file, s, f"{distribution} {version}") for s in files]


def _material(path: Path, shipped: _Shipped, package: str) -> Material:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _missing(f"{package} has no {shipped.file}") from error
    origin = f"{package} ({shipped.author})" if shipped.author else package
    return Material(shipped.file, data, recognise(shipped.file, data), digest_bytes(data), shipped.licence, origin)


def _place(package: str) -> Path:
    """Where a package lies; it is not imported, so that none of its code runs."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise _missing(f"the package {package} is not installed")
    return Path(spec.origin).parent


def _missing(what: str) -> UnavailableError:
    return UnavailableError(f"The demo data is not there: {what}.", remedy="Run: pip install 'trajmill[demo]'")
