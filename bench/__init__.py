"""Benchmarks: what `make bench` measures. Ratios within one run count; the machine is noisy."""
