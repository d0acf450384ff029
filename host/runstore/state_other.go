//go:build !linux

package runstore

// State returns the state of the owner's process according to the system, or an empty string if it is unknown.
func (o Owner) State() ProcessState { return "" }
