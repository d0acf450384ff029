"""Modules that the adapters of Python frameworks need for smoke runs only. They run in the framework's Python."""
