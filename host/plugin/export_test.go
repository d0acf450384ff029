package plugin

// Calling reports whether a call is in progress.
func (i *Instance) Calling() bool { return i.calls.any() }
