package main

import (
	"slices"
	"testing"
)

const before = `//go:build linux

// Package p waits 5 s for maxSteps, see https://example.org/a.
package p

var a = 1 // of "b"
`

func TestSplit_SeesCodeOutsideComments(t *testing.T) {
	for text, same := range map[string]bool{
		before: true,
		"//go:build linux\n\n// Package p waits.\npackage p\n\nvar a = 1\n":                       true,
		"//go:build darwin\n\n// Package p waits.\npackage p\n\nvar a = 1\n":                      false,
		"//go:build linux\n\npackage p\n\nvar a = 2\n":                                            false,
		"//go:build linux\n\npackage p\n\nvar a = 1; var b = 2\n":                                 false,
		"//go:build linux\n\n// Package p waits.\npackage p\n\n// a counts.\nvar (\n\ta = 1\n)\n": false,
	} {
		if got := slices.Equal(split([]byte(before)).code, split([]byte(text)).code); got != same {
			t.Errorf("%q: the code is equal: %t, want %t", text, got, same)
		}
	}
}

func TestDifference_ListsFactsOfComments(t *testing.T) {
	after := "//go:build linux\n\n// Package p waits 6 s for maxSteps and MaxRuns.\npackage p\n\nvar a = 1\n"
	got := difference(split([]byte(before)).facts(), split([]byte(after)).facts())
	want := []string{`+6 s`, `+MaxRuns`, `-"b"`, `-5 s`, `-https://example.org/a`}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
