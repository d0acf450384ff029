//go:build !linux

package process

import (
	"errors"
	"runtime"
)

// UsageOf is for Linux only: elsewhere the environment of a process cannot be read.
func UsageOf(string, string) (Usage, error) {
	return Usage{}, errors.New(
		"on " + runtime.GOOS + " nobody sees what processes use: remove the limits of memory and processes",
	)
}
