//go:build !linux

package mcpcheck

// residentBytes is not known on this system.
func residentBytes(int) int64 { return 0 }
