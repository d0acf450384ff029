package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// redirect sends the output of a stream to a file, including the runtime's output when it crashes.
func redirect(to, stream *os.File) error {
	return unix.Dup3(int(to.Fd()), int(stream.Fd()), 0)
}
