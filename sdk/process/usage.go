package process

// Usage is the current usage of an instance, including all processes that it has started.
type Usage struct {
	Processes     int
	ResidentBytes int64 // memory; memory shared by processes counts for each
}
