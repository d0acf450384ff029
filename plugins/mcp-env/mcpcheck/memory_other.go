//go:build !linux

package mcpcheck

// residentBytes returns 0, because a process's memory cannot be read on this system.
func residentBytes(int) int64 { return 0 }
