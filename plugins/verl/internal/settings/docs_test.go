package settings

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/reference/verl-knobs.md")

// docs/reference/verl-knobs.md is written from the tables of this package.
//
//go:generate go test -count=1 -run ^TestDocs_AreUpToDate$ . -update
func TestDocs_AreUpToDate(t *testing.T) {
	const path = "../../../../docs/reference/verl-knobs.md"
	want := page(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the tables say: run go generate ./plugins/verl/internal/settings", path)
	}
}

const intro = `# Knobs and keys of verl

This page is generated from the tables that the ` + "`verl`" + ` adapter works with.

A train block has knobs, verl has keys. A key can also be set in the adapter's ` + "`config`" + ` (a YAML file as verl's users have it), in its ` + "`overrides`" + `, and behind ` + "`--`" + ` on
the command line. All of them are held against the configuration of the verl that is installed, without running it: ` + "`awhost plan`" + ` names unknown keys, wrong types,
and keys that moved, and shows every key with who set it.

* What you write is kept. The same key twice with different values is an error that shows both.
* A value that would break the run, another reward function for example, is an error that shows both, too.
* What nobody sets is awhost's default where this page names one, and verl's otherwise.
* ` + "`+key`" + ` in ` + "`overrides`" + ` sets a key that verl does not know, for code of your own.

| verl | |
|---|---|
| 0.7.1, 0.8, 0.9 | supported |
| 0.6, 0.7.0 | best effort, with a warning |
| 0.5 and older | refused: its agent loops know neither the task nor a reward |
| 0.10 and newer | a warning: untested |
`

// page is the whole of docs/reference/verl-knobs.md.
func page(t *testing.T) string {
	var out strings.Builder
	out.WriteString(intro)
	for _, section := range []struct {
		title string
		of    release
	}{{"verl 0.9", v091}, {"verl 0.8", v080}, {"verl 0.7.1", v071}, {"verl 0.7.0", v070}, {"verl 0.6.1", v061}, {"verl 0.6.0", v060}} {
		fmt.Fprintf(&out, "\n## %s\n\n| knob | key | |\n|---|---|---|\n", section.title)
		for _, k := range knobs {
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", k.path, keysAt(k, section.of), k.note)
		}
	}
	writeOwned(t, &out)
	writeMoves(&out)
	return out.String()
}

func keysAt(k knob, r release) string {
	var present []string
	for _, key := range k.keys {
		if r.atLeast(key.since) {
			present = append(present, "`"+key.key+"`")
		}
	}
	switch {
	case k.refused != "":
		return "refused: " + k.refused
	case k.does == byHost || k.path == "seed" && len(present) == 0:
		return "awhost acts on it"
	case k.does == builtIn:
		return "nothing to set"
	case k.does != "":
		return k.does
	case len(present) == 0:
		return "refused"
	}
	return strings.Join(present, ", ")
}

// writeOwned lists what awhost sets itself, with the newest release's names.
func writeOwned(t *testing.T, out *strings.Builder) {
	out.WriteString("\n## What awhost sets itself\n\nAnother value of these is an error, with verl 0.9 as the example.\n\n| key | value | why |\n|---|---|---|\n")
	req := request(syntheticTree(t, v091), nil)
	schema, err := req.Installed.schema(defaultEngine)
	if err != nil {
		t.Fatal(err)
	}
	r := &resolver{req: req, release: v091, schema: schema}
	for _, o := range ownedKeys(r) {
		value := "empty"
		switch v := o.value.(type) {
		case nil:
		case verbatim, []any:
			value = "of the run"
			if o.adjusts {
				value = "completed with `console` and `file`"
			}
		default:
			value = "`" + shown(v) + "`"
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", o.key, value, o.why)
	}
}

func writeMoves(out *strings.Builder) {
	out.WriteString("\n## Keys that moved\n\nKeys of other versions, and of forks, that users bring along. awhost names the new one; where verl still moves the value itself, so does awhost.\n\n" +
		"| key | since | now | |\n|---|---|---|---|\n")
	for _, m := range moves {
		since, to := m.since.String(), "gone"
		if m.since == (release{}) {
			since = "always"
		}
		if m.to != "" {
			to = "`" + m.to + "`"
		}
		var more []string
		if m.also != (release{}) {
			more = append(more, "until "+m.also.String()+" verl moves it itself")
		}
		if m.alias {
			more = append(more, "verl reads both")
		}
		if m.drop {
			more = append(more, "left out of a file with a warning")
		}
		if m.why != "" {
			more = append(more, m.why)
		}
		fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", m.from, since, to, strings.Join(slices.Compact(more), "; "))
	}
}
