package play

import (
	"io"
	"os"
)

// ParseMessage is for the fuzzer.
var ParseMessage = parseMessage

// Keys reads what is typed into a file; interrupt ends it.
func Keys(in *os.File) (from io.Reader, interrupt func()) {
	k := &keys{in: in}
	return k, func() { k.over.Store(true) }
}
