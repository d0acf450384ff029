package process

// Usage is an instance's current usage, including all processes that it has started.
type Usage struct {
	Processes     int
	ResidentBytes int64 // memory; memory shared by processes counts for each
}
