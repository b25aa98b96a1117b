"""Labels: what people said of items, how written levels are read, which label is the reference."""
