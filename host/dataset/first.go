package dataset

import "fmt"

// First returns a dataset of the first n tasks of from, or of all if it has fewer. from must stay open as long as the
// result, which does not close it.
func First(from *Dataset, n int) *Dataset {
	s := &selection{from: []*Dataset{from}, picks: make([]pick, min(n, from.Len()))}
	for i := range s.picks {
		s.picks[i].row = uint32(i)
	}
	return s.dataset(fmt.Sprintf("first %d of %s", len(s.picks), from.name), []string{""})
}
