package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// redirect makes what is written to a stream go to a file, also what the runtime writes when it dies.
func redirect(to, stream *os.File) error {
	return unix.Dup3(int(to.Fd()), int(stream.Fd()), 0)
}
