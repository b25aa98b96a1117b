"""Results shown: as text for people at 80 columns, as JSON documents for programs."""
