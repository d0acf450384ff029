"""The trainer process of adapter "tinker": a stage on a server that speaks Tinker's API. It runs in the user's Python,
which must have the package tinker."""
