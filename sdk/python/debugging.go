package python

import _ "embed"

// Debugging is the module awhost.debugging, which starts a debugger in the process that imports it. It uses only the
// standard library.
//
//go:embed awhost/debugging.py
var Debugging string
