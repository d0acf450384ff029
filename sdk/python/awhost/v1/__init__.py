"""The messages of the plugin protocol, from sdk/proto/awhost/v1: written by generate.py. The comments there are the manual."""
