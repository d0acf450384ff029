//go:build !linux

package mcpcheck

// residentBytes returns 0: the memory of a process cannot be read on this system.
func residentBytes(int) int64 { return 0 }
