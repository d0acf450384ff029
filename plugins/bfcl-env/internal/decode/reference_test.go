package decode_test

import (
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/decode"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
)

// Arguments must be read like in BFCL's own program.
func TestTextAsTheWheelReadsIt(t *testing.T) {
	var questions []golden.Question
	for _, literal := range golden.Literals(1, 12_000) {
		questions = append(questions, golden.Question{Text: "[f(x=" + literal + ")]"})
	}
	wrong := 0
	for i, want := range golden.Ask(t, questions) {
		if want.Skipped != "" {
			continue
		}
		got, err := decode.Text(questions[i].Text, api.V4)
		if (err != nil) != (want.Error != "") || err == nil && !golden.SameButForSets(got, want.Decoded) {
			if wrong++; wrong <= 60 {
				t.Errorf("%q is read as %q, %v; want %q %s", questions[i].Text, got, err, want.Decoded, want.Error)
			}
		}
	}
	t.Logf("%d of %d differ", wrong, len(questions))
}
