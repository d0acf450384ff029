package python

import _ "embed"

// Debugging is the module awhost.debugging: it starts a debugger in the process that imports it. Standard library only.
//
//go:embed awhost/debugging.py
var Debugging string
