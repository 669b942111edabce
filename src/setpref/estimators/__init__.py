"""Estimators in scikit-learn's style: ours, its cautious rules, and the baselines; no method of their own."""
