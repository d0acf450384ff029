package process

// Usage is what an instance uses at a moment, with all that it has started.
type Usage struct {
	Processes     int
	ResidentBytes int64 // memory; what processes share counts for each
}
