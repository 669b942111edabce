"""People to predict, made up and published, and methods compared on them; the paper's experiments are next door."""
