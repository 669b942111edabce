"""Can all rows hold? Solvers propose, integers decide, and judges decide without them; nothing is searched for here."""
