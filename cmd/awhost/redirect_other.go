//go:build !linux

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// redirect makes output to a stream go to a file, including the runtime's output when it crashes.
func redirect(to, stream *os.File) error {
	return unix.Dup2(int(to.Fd()), int(stream.Fd()))
}
