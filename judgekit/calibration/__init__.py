"""Calibration: judge against reference labels, with uncertainty, and the gate that follows."""
