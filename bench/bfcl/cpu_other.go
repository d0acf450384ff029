//go:build !unix

package main

import "time"

var began = time.Now()

// cpuSeconds is the time of the clock, where that of the processors is not known.
func cpuSeconds() float64 { return time.Since(began).Seconds() }
