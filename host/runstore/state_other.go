//go:build !linux

package runstore

// State is what the system says of the owner's process; empty when it says nothing.
func (o Owner) State() ProcessState { return "" }
