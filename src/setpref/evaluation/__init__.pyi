"""The names this room offers, with their types."""

from setpref.evaluation.synthetic import SyntheticUser as SyntheticUser
from setpref.evaluation.synthetic import draw_sets as draw_sets
from setpref.evaluation.synthetic import draw_test_pairs as draw_test_pairs
from setpref.evaluation.synthetic import draw_user as draw_user

__all__: list[str]
