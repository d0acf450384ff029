//go:build unix

package main

import "syscall"

// cpuSeconds returns the CPU time that this process has used so far.
func cpuSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0 // cannot fail for this process
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}
