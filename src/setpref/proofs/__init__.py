"""What is claimed, how it is written down, and how it is checked in whole numbers; no solver is let in."""
