//go:build !linux

package process

import (
	"errors"
	"runtime"
)

// UsageOf returns an error because the environment of a process can be read only on Linux.
func UsageOf(string, string) (Usage, error) {
	return Usage{}, errors.New(
		"on " + runtime.GOOS + " the resources of processes cannot be measured: remove the limits of memory and " +
			"processes",
	)
}
