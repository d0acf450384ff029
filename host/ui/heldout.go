package ui

// heldOut is the held-out success of a run on the dataset of its last validation: a stage may have another one than the
// stage before, and rates on different tasks say nothing about each other.
type heldOut struct {
	set    string   // address of the dataset
	before *float64 // at the first validation on it; nil: it was the only one, and not before the first step
	after  *float64 // at the last; nil: there was none after the first step
}

// add takes the next validation. One before the first step is where the run began, until another one follows.
func (h *heldOut) add(set string, step int, rate float64) {
	switch {
	case h.before == nil && h.after == nil || h.set != set:
		*h = heldOut{set: set}
		if step == 0 {
			h.before = &rate
		} else {
			h.after = &rate
		}
	case h.before == nil: // the first validation was the one so far
		h.before, h.after = h.after, &rate
	default:
		h.after = &rate
	}
}
