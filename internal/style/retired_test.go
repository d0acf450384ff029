package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRetiredIn_FindsDeclarationsAndNoUses(t *testing.T) {
	retired, err := parseRetired([]byte(`# comment
purse budget
host/zoo host/park
host/zoo.room workspace
host/zoo.Summary.Over Finished
other.line reply
`))
	if err != nil {
		t.Fatal(err)
	}
	source := `package zoo

type Summary struct{ Over bool }

type Other struct{ Over bool }

func (s *Summary) purse(room string, Over int) { line := other.purse(Summary{Over: true}) }
`
	found, err := retiredIn("host/zoo/zoo.go", []byte(source), retired)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%d: %s", f.line, f.text))
	}
	want := []string{
		"1: host/zoo is retired: use host/park",
		"3: host/zoo.Summary.Over is retired: use Finished",
		"7: purse is retired: use budget",
		"7: host/zoo.room is retired: use workspace",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestParseRetired_RefusesInvalidLines(t *testing.T) {
	for _, text := range []string{"purse", "purse budget money", "a b\na c"} {
		if _, err := parseRetired([]byte(text)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: got %v, want an error with the line", text, err)
		}
	}
}
