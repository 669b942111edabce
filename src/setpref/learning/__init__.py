"""Learn and load: the table of engines and the objects users hold; what they say is worked out below."""
