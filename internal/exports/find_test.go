package main

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		public []string
		want   []string
	}{
		{nil, []string{
			"a/a.go:35: example.org/module/a.Alone",
			"a/a.go:38: example.org/module/a.Lonely",
			"a/a.go:41: example.org/module/a.Forgotten",
			"a/a.go:44: example.org/module/a.Tested",
		}},
		{[]string{"example.org/module/a"}, []string{
			"a/a.go:41: example.org/module/a.Forgotten",
			"a/a.go:44: example.org/module/a.Tested",
		}},
	} {
		got, err := find("testdata/module", c.public, "./...")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("public %v: got\n%s\nwant\n%s", c.public, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
