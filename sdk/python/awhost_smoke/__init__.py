"""What the adapters of Python frameworks need for smoke runs only. It runs in the Python of the framework."""
