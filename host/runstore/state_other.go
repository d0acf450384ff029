//go:build !linux

package runstore

// State returns the system's state of the owner's process, or an empty string if it is unknown.
func (o Owner) State() ProcessState { return "" }
