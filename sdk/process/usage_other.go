//go:build !linux

package process

import (
	"errors"
	"runtime"
)

// UsageOf returns an error: the environment of a process can be read on Linux only.
func UsageOf(string, string) (Usage, error) {
	return Usage{}, errors.New(
		"on " + runtime.GOOS + " the resources of processes cannot be measured: remove the limits of memory and " +
			"processes",
	)
}
