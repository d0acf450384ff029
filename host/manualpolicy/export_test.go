package manualpolicy

import (
	"io"
	"os"
)

// ParseMessage is used by the fuzz test.
var ParseMessage = parseMessage

// Keys reads the keys typed into a file. interrupt ends the input.
func Keys(in *os.File) (from io.Reader, interrupt func()) {
	k := &keys{in: in}
	return k, func() { k.interrupted.Store(true) }
}
