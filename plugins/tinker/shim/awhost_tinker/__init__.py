"""The trainer process of adapter "tinker": a stage on a server that speaks Tinker's API, in the user's Python."""
