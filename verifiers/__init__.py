"""Verifiers: from evidence to verdicts, certificates and filters; never imports synth."""
