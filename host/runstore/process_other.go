//go:build !linux

package runstore

// processStart returns an empty string because the start time is unknown on this system: only the process number
// distinguishes processes.
func processStart(int) string { return "" }

func holders(string) string { return "" }
