package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/awhost/awhost/host/view/text"
)

// The help of every command must show examples, with existing flags only.
func TestHelp_HasExamples(t *testing.T) {
	var out bytes.Buffer
	root := newRoot(&app{out: text.NewOutput(&out), err: text.NewOutput(&out)})
	commands := leaves(root, "")
	for name, c := range commands {
		if c.Hidden {
			continue
		}
		if c.Example == "" {
			t.Errorf("awhost %[1]s --help shows no examples: add a line %[1]q to cmd/awhost/examples.go", name)
		}
		for line := range strings.Lines(c.Example) {
			line, _, _ = strings.Cut(line, " -- ")
			line, _, _ = strings.Cut(line, "&&")
			line, _, _ = strings.Cut(line, " | ")
			words := strings.Fields(line)
			if !strings.Contains(line, "awhost "+name) {
				t.Errorf("an example of awhost %s is of something else: %s", name, line)
			}
			for _, word := range words {
				flag, isFlag := strings.CutPrefix(word, "--")
				known := false
				c.Flags().VisitAll(func(f *pflag.Flag) { known = known || f.Name == flag })
				root.PersistentFlags().VisitAll(func(f *pflag.Flag) { known = known || f.Name == flag })
				if isFlag && !known && name != "plugin" {
					t.Errorf("an example of awhost %s has a flag that it lacks: %s", name, word)
				}
			}
		}
	}
	for name := range examples {
		if !slices.ContainsFunc(slicesOf(commands), func(n string) bool { return n == name }) {
			t.Errorf("there are examples of awhost %s, and no such command: add its constructor to newRoot "+
				"(cmd/awhost/root.go), or take its line out of cmd/awhost/examples.go", name)
		}
	}
	out.Reset()
	root.SetArgs([]string{"logs", "--help"})
	if err := root.Execute(); err != nil || !strings.Contains(out.String(), "Examples:\n  awhost logs\n") {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

func slicesOf[V any](m map[string]V) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	return out
}
