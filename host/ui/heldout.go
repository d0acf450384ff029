package ui

// heldOut is a run's held-out success on the dataset used in its last validation. Stages may have different datasets,
// and rates on different tasks are not comparable.
type heldOut struct {
	set    string   // address of the dataset
	before *float64 // at the first validation on it; nil: that was the only one, and after the first step
	after  *float64 // at the last validation; nil: none after the first step
}

// add adds the next validation. A validation before the first step is the starting value until another validation
// follows.
func (h *heldOut) add(set string, step int, rate float64) {
	switch {
	case h.before == nil && h.after == nil || h.set != set:
		*h = heldOut{set: set}
		if step == 0 {
			h.before = &rate
		} else {
			h.after = &rate
		}
	case h.before == nil: // the previous validation was the first
		h.before, h.after = h.after, &rate
	default:
		h.after = &rate
	}
}
