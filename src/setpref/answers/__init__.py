"""What all models agree on: verdicts, orders, best sets, and why; how the models were found is not asked."""
