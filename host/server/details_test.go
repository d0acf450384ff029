package server

import (
	"strings"
	"testing"
)

// TestDetails_AreTheFirstThatCanBeUsed checks that other output is skipped.
func TestDetails_AreTheFirstThatCanBeUsed(t *testing.T) {
	long := strings.Repeat("\"a line of an object that does not end\",\n", 2*mostDetails/40)
	for name, test := range map[string]struct{ printed, want, missing string }{
		"two objects":         {printed: `{"url": "a"}` + "\n" + `{"url": "b"}`, want: `{"url":"a"}`},
		"after an open brace": {printed: "{\n" + `{"url": "a"}`, want: `{"url":"a"}`},
		"after half an object": {printed: `{"level":` + "\n{\n" + `"url": "a"}`,
			missing: "contains no JSON object with url"},
		"after one without end": {printed: `{"x": [` + "\n" + long + `{"url": "a"}`, want: `{"url":"a"}`},
		"without end":           {printed: `{"x": [` + "\n" + long, missing: "but one of more than 65536 bytes"},
		"null at first":         {printed: `{"url": null}` + "\n" + `{"url": "a"}`, want: `{"url":"a"}`},
		"an object":             {printed: `{"url": {"port": 1}}`, missing: "url is not a string, number, or Boolean in it"},
		"a list":                {printed: `{"url": []}`, missing: "url is not a string, number, or Boolean in it"},
		"another one":           {printed: `{"port": 1}`, missing: "but another one"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &details{names: []string{"url"}}
			for line := range strings.SplitSeq(test.printed, "\n") {
				d.addLine(line)
			}
			if got := string(d.result()); got != test.want {
				t.Errorf("got %.200s, want %q", got, test.want)
			}
			if missing := d.missing(); (missing == "") != (test.want != "") || !strings.Contains(missing, test.missing) {
				t.Errorf("missing is %q, want %q", missing, test.missing)
			}
		})
	}
}
