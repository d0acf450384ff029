package settings

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/framework"
)

var update = flag.Bool("update", false, "rewrite docs/reference/verl-knobs.md")

// TestDocs_AreUpToDate compares docs/reference/verl-knobs.md with the tables of this package.
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

const intro = `# verl knobs and keys

The ` + "`verl`" + ` adapter turns the knobs of a train block into verl's keys. This page is generated from the adapter's tables.
[Train with verl](../guides/verl.md#set-verls-own-keys) describes how to set a key yourself and which value takes
precedence.

## Knobs

A key that only some of verl 0.6 to 0.9 have is followed by the first version that has it. ` + "`awhost plan --all`" + `
lists the keys of the installed version.

| knob | verl key |
|---|---|
`

// page returns the text of docs/reference/verl-knobs.md.
func page(t *testing.T) string {
	var out strings.Builder
	out.WriteString(intro)
	for _, k := range knobs {
		fmt.Fprintf(&out, "| `%s` | %s |\n", k.path, withNote(keysOf(k), k.note))
	}
	writeOwned(t, &out)
	writeMoves(t, &out)
	return out.String()
}

// withNote returns a cell with a note.
func withNote(cell, note string) string {
	if note == "" {
		return cell
	}
	return cell + "; " + note
}

// keysOf returns the cell with the keys of a knob, or with the reason why it has none.
func keysOf(k knob) string {
	var present []string
	for _, key := range k.keys {
		text := "`" + key.key + "`"
		if key.since != (release{}) {
			text += " (" + key.since.String() + ")"
		}
		present = append(present, text)
	}
	switch {
	case k.refused != "":
		return "refused: " + k.refused
	case k.does == byHost:
		return "none: applied by awhost"
	case k.does == builtIn:
		return "none"
	case k.does != "":
		return k.does
	}
	return strings.Join(present, ", ")
}

// writeOwned lists the keys that a user cannot choose, with the newest release's names and one row per reason.
func writeOwned(t *testing.T, out *strings.Builder) {
	out.WriteString("\n## What awhost sets itself\n\nAnother value for one of these keys is an error. The names are from verl 0.9. " +
		"*Run*: depends on the run.\n\n| keys | why |\n|---|---|\n")
	req := request(syntheticTree(t, v091), nil)
	schema, err := req.Installed.schema(defaultEngine)
	if err != nil {
		t.Fatal(err)
	}
	r := &resolver{req: req, release: v091, schema: schema}
	var reasons []string
	keys := map[string][]string{} // reason → keys with their values
	for _, o := range ownedKeys(r) {
		if keys[o.why] == nil {
			reasons = append(reasons, o.why)
		}
		keys[o.why] = append(keys[o.why], "`"+o.key+"`: "+ownedValue(o))
	}
	for _, why := range reasons {
		fmt.Fprintf(out, "| %s | %s |\n", strings.Join(keys[why], "<br>"), why)
	}
}

// ownedValue returns the value of a key that a user cannot choose, for the table.
func ownedValue(o owned) string {
	switch v := o.value.(type) {
	case nil:
		return "empty"
	case framework.Verbatim, []any:
		if o.adjusts {
			return "completed with `console` and `file`"
		}
		return "*run*"
	default:
		return "`" + framework.Shown(v) + "`"
	}
}

// writeMoves lists the keys of other versions, with the release that no longer has them.
func writeMoves(t *testing.T, out *strings.Builder) {
	out.WriteString("\n## Keys that moved\n\nKeys of other verl versions and of forks. In `overrides` and on the command " +
		"line,\neach one is an error that gives the new name, unless the installed verl still reads or moves it. In a " +
		"`config`\nfile, the value moves with a warning, or is left out if the key is removed; a change of the value is an " +
		"error.\n†: verl moves the value itself until 0.9.0, and then ignores the key.\n\n" +
		"| key | removed in | now |\n|---|---|---|\n")
	for _, m := range moves {
		since, to := m.since.String(), "removed"
		if m.since == (release{}) {
			since = "0.5 or older"
		}
		if m.to != "" {
			to = "`" + m.to + "`"
		}
		var more []string
		if m.also != (release{}) {
			if m.also != v090 {
				t.Errorf("%s: the move ends at %s, but the page states 0.9.0 for all", m.from, m.also)
			}
			since += "†"
		}
		if m.alias {
			more = append(more, "verl reads both")
		}
		if m.inert {
			more = append(more, "verl ignores it")
		}
		if m.why != "" && m.since != (release{}) {
			more = append(more, m.why)
		}
		fmt.Fprintf(out, "| `%s` | %s | %s |\n", m.from, since, withNote(to, strings.Join(slices.Compact(more), "; ")))
	}
}

// The pages list the levels of precedence in their order.
func TestDocs_ListTheLevels(t *testing.T) {
	for _, page := range []string{"verl.md", "areal.md"} {
		text, err := os.ReadFile("../../../../docs/guides/" + page)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(strings.Join(strings.Fields(string(text)), " "), "highest precedence first")
		for _, level := range framework.Levels() {
			before, after, found := strings.Cut(rest, level)
			if rest = after; !found || len(before) > 500 { // characters of one row or sentence
				t.Fatalf("%s lists %q in another order: the levels are %v", page, level, framework.Levels())
			}
		}
	}
}
