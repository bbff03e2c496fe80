"""Long attacks on the program itself; docs/robustness.md says how to run them and what they found."""
