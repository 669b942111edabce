"""Every simplest theta: classes of terms, clauses, the kernel and its driver; it answers no question about sets."""
