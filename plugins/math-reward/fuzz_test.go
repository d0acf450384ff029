package mathreward

import (
	"testing"

	"github.com/awhost/awhost/sdk/answertext"
)

// FuzzJudge checks that a readable, nonempty answer equals itself, and that repeated comparisons give the same
// result.
func FuzzJudge(f *testing.F) {
	for _, test := range same {
		f.Add(test.truth, test.box)
	}
	for _, test := range different {
		f.Add(test.truth, test.box)
	}
	f.Fuzz(func(t *testing.T, truth, box string) {
		if _, failure := judge(exact, answertext.Boxed, `\boxed{`+box+`}`, truth); failure != nil {
			t.Errorf("exact: %q against %q fails: %v", box, truth, failure)
		}
		first, failure := judge(numeric, answertext.Boxed, `\boxed{`+box+`}`, truth)
		if failure != nil {
			if failure.Error() == "" {
				t.Errorf("%q against %q fails: %+v", box, truth, failure)
			}
			return
		}
		if again, _ := judge(numeric, answertext.Boxed, `\boxed{`+box+`}`, truth); again != first {
			t.Errorf("%q against %q comes to %+v and %+v", box, truth, first, again)
		}
		if first.Correct && (!first.Readable || first.calculated || first.otherUnit) {
			t.Errorf("%q against %q comes to %+v", box, truth, first)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, test := range same {
		f.Add(test.truth)
		f.Add(test.box)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, err := readLaTeX(text)
		if err != nil {
			return
		}
		two, err := readLaTeX(text)
		if err != nil {
			t.Fatalf("%q is read once", text)
		}
		if c := one.compare(two); !c.equal && one.holdsText() {
			t.Errorf("%q differs from itself: %+v", text, c)
		}
	})
}

// holdsText reports whether no value of an answer is empty: empty values equal nothing.
func (f form) holdsText() bool {
	for _, e := range f.elements {
		if !e.holdsText() {
			return false
		}
	}
	return f.kind != kindOne || f.value.text != "" || f.value.number != nil
}
