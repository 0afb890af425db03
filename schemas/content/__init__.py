"""Pure readers of file content, shared by the recognisers of synth and the checks of verifiers: bytes in, records out."""
