package runstore

import "cmp"

// compare orders slots: by stage name, split, step, group and sample.
func (s Slot) compare(other Slot) int {
	return cmp.Or(
		cmp.Compare(s.Stage, other.Stage),
		cmp.Compare(s.Split, other.Split),
		cmp.Compare(s.Step, other.Step),
		cmp.Compare(s.Group, other.Group),
		cmp.Compare(s.Sample, other.Sample),
	)
}
