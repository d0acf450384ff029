package mathreward

import "slices"

// compare compares a ground truth with an answer in all of their possible readings.
func (f form) compare(answer form) comparison {
	if f.equation != nil && answer.equation != nil && f.equation.value.multipleOf(answer.equation.value) {
		return f.equation.unlessUndone(*answer.equation)
	}
	for _, pair := range [][2]form{{f, answer}, {answer, f}} {
		if one := pair[0]; pair[1].label != "" && one.kind == kindOne && one.value.text == pair[1].label {
			return comparison{equal: true}
		}
	}
	if f.name != "" && answer.name != "" && f.name != answer.name {
		return comparison{}
	}
	best := f.compareOne(answer)
	if f.list != nil {
		best = better(best, f.list.compare(answer))
	}
	if answer.list != nil {
		best = better(best, f.compare(*answer.list))
	}
	return best
}

// better returns the better comparison: an equal one or, failing that, a nearly equal one.
func better(a, b comparison) comparison {
	if a.rank() >= b.rank() {
		return a
	}
	return b
}

func (c comparison) rank() int {
	switch {
	case c.equal:
		return 2
	case c.calculated, c.otherUnit:
		return 1
	}
	return 0
}

func (f form) compareOne(answer form) comparison {
	switch {
	case f.kind != answer.kind, f.opening != answer.opening, f.closing != answer.closing:
		return comparison{}
	case f.kind == kindOne:
		return f.value.compare(answer.value)
	case len(f.elements) != len(answer.elements):
		return comparison{}
	case f.kind == kindOrdered:
		return compareInOrder(f.elements, answer.elements)
	}
	return compareInAnyOrder(f.elements, answer.elements)
}

func compareInOrder(truths, answers []form) comparison {
	all := comparison{equal: true, list: true}
	for i := range truths {
		all = all.and(truths[i].compare(answers[i]))
	}
	return all
}

// compareInAnyOrder assigns the best remaining answer to each truth.
func compareInAnyOrder(truths, answers []form) comparison {
	all := comparison{equal: true, list: true}
	left := slices.Clone(answers)
	for _, truth := range truths {
		best, at := truth.compare(left[0]), 0
		for i := 1; i < len(left) && !best.equal; i++ {
			if c := truth.compare(left[i]); c.rank() > best.rank() {
				best, at = c, i
			}
		}
		left = slices.Delete(left, at, at+1)
		all = all.and(best)
	}
	return all
}

// and combines the comparison of a list with one more element.
func (c comparison) and(element comparison) comparison {
	if c.rank() == 0 || element.rank() == 0 {
		return comparison{}
	}
	equal := c.equal && element.equal
	return comparison{
		equal: equal, list: equal,
		calculated: c.calculated || element.calculated, otherUnit: c.otherUnit || element.otherUnit,
	}
}
