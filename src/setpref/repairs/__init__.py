"""What cannot hold together, the least to give up, and what a simpler model would cost; it predicts nothing."""
