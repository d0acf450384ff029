//go:build !unix

package main

import "time"

var began = time.Now()

// cpuSeconds returns wall time, because CPU time is not available on this system.
func cpuSeconds() float64 { return time.Since(began).Seconds() }
