package plugin

// Calling says whether a call is under way.
func (i *Instance) Calling() bool { return i.calls.any() }
