package catalog_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStale_NamesPackagesWhoseSourcesChanged(t *testing.T) {
	p := newProject(t, map[string]string{"mine": "./mine"})
	p.goPackage("mine", "example.com/mine", 1)
	if stale := p.accepted().Stale(t.Context()); len(stale) > 0 {
		t.Errorf("nothing changed, and %q are stale", stale)
	}
	before := p.files()
	for _, change := range []struct {
		what string
		do   func()
	}{
		{"an edit", func() { p.goPackage("mine", "example.com/mine", 2) }},
		{"a new file", func() { p.write("mine/more.go", "package main\n\nvar _ = 1\n") }},
		{"a mistake", func() { p.write("mine/main.go", "pakcage main\n") }},
	} {
		change.do()
		if stale := p.open().Stale(t.Context()); !slices.Equal(stale, []string{"mine"}) {
			t.Errorf("after %s %q are stale", change.what, stale)
		}
	}
	after := p.files()
	for _, name := range []string{"mine/main.go", "mine/more.go"} {
		delete(before, name)
		delete(after, name)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("looking has written something: %s", diff)
	}

	p.goPackage("mine", "example.com/mine", 3)
	c := p.open()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stale := p.open().Stale(t.Context()); len(stale) > 0 {
		t.Errorf("after Refresh %q are stale", stale)
	}
}
