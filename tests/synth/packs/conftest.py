"""Makes the builders of these tests importable as ``tests.synth.packs...``; the root goes last, so it hides nothing installed."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[3])
if ROOT not in sys.path:
    sys.path.append(ROOT)
