package ui

import "testing"

// The improvement of a run is computed from two validations on the same tasks.
func TestHeldOut_ComparesOnlyTheSameTasks(t *testing.T) {
	type pass struct {
		set  string
		step int
		rate float64
	}
	const none = -1.0
	tests := map[string]struct {
		passes        []pass
		before, after float64
	}{
		"nothing yet":          {nil, none, none},
		"before training":      {[]pass{{"a", 0, 0.3}}, 0.3, none},
		"once, after training": {[]pass{{"a", 10, 0.5}}, none, 0.5},
		"twice":                {[]pass{{"a", 10, 0.5}, {"a", 20, 0.4}}, 0.5, 0.4},
		"before and after":     {[]pass{{"a", 0, 0.3}, {"a", 10, 0.5}, {"a", 20, 0.3}}, 0.3, 0.3},
		"a second stage":       {[]pass{{"a", 0, 0.3}, {"a", 10, 0.9}, {"b", 20, 0.5}}, none, 0.5},
		"at its end":           {[]pass{{"a", 0, 0.3}, {"b", 10, 0.2}, {"b", 20, 0.6}}, 0.2, 0.6},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var h heldOut
			for _, p := range test.passes {
				h.add(p.set, p.step, p.rate)
			}
			for what, end := range map[string]struct {
				got  *float64
				want float64
			}{"before": {h.before, test.before}, "after": {h.after, test.after}} {
				switch {
				case end.got == nil && end.want != none:
					t.Errorf("%s: the number is missing, want %g", what, end.want)
				case end.got != nil && *end.got != end.want:
					t.Errorf("%s: %g, want %g", what, *end.got, end.want)
				}
			}
		})
	}
}
