"""What people say: numbers, tables, files and frames become checked statements over bits; no model is known here."""
