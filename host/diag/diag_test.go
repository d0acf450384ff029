package diag_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/view/text"
)

const source = "train \"x\" {\n\tsteps = -1\n  reward = [\n    a,\n  ]\n}\n"

// at returns the range of the first occurrence of a text in source.
func at(text string) diag.Range {
	start := strings.Index(source, text)
	position := func(offset int) diag.Position {
		line := strings.Count(source[:offset], "\n")
		return diag.Position{Line: line + 1, Column: offset - strings.LastIndexByte(source[:offset], '\n'), Byte: offset}
	}
	return diag.Range{File: "train.hcl", Start: position(start), End: position(start + len(text))}
}

func problem(text string) diag.Diagnostic {
	r := at(text)
	sources := diag.Sources{"train.hcl": []byte(source)}
	return diag.Diagnostic{Severity: diag.Error, Summary: "Bad thing", Detail: "Do it otherwise.", Range: &r,
		Snippet: sources.Snippet(r, `train "x"`)}
}

func render(t *testing.T, d diag.Diagnostic, style diag.Style) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.WriteHuman(&b, diag.Diagnostics{d}, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A line of the spec is shown unchanged, with the marker below the right words. Commands in the advice are rewritten
// so that they can be typed.
func TestWriteHuman_LeavesCommandsInSourcesAlone(t *testing.T) {
	code := `name = "awhost show" steps = -1`
	end := diag.Position{Line: 1, Column: 1 + len(code), Byte: len(code)}
	r := diag.Range{File: "train.hcl", Start: diag.Position{Line: 1, Column: 1}, End: end}
	d := diag.Diagnostic{Severity: diag.Error, Summary: "Bad thing", Detail: "Run awhost show.", Range: &r}
	d.Snippet = diag.Sources{"train.hcl": []byte(code)}.Snippet(r, "")
	var b bytes.Buffer
	out := text.NewOutput(&b)
	out.Commands = func(s string) string { return strings.ReplaceAll(s, "awhost show", "./bin/awhost show") }
	if err := diag.WriteHuman(out, diag.Diagnostics{d}, diag.Style{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, code) || !strings.Contains(got, "Run ./bin/awhost show.") {
		t.Errorf("it says\n%s", got)
	}
}

func TestWriteHuman(t *testing.T) {
	lines := problem("[\n    a,\n  ]")
	lines.Snippet.Values = []diag.Value{{Name: "var.x", Text: "7"}}
	warning := diag.Diagnostic{Severity: diag.Warning, Summary: "Old", Detail: "one\ntwo", Address: "reward.gaia.answer",
		Plugin: "gaia"}
	for name, tc := range map[string]struct {
		problem diag.Diagnostic
		style   diag.Style
		want    string
	}{
		"a line with a tab": {problem("-1"), diag.Style{}, `
╷ Error: Bad thing
│
│   train.hcl:2, in train "x":
│   2 │   steps = -1
│     │           ──
│
│ Do it otherwise.
╵
`},
		"several lines and values": {lines, diag.Style{}, `
╷ Error: Bad thing
│
│   train.hcl:3, in train "x":
│   3 │   reward = [
│     │            ─
│   4 │     a,
│     │     ──
│   5 │   ]
│     │   ─
│     │ var.x is 7
│
│ Do it otherwise.
╵
`},
		"without a place": {warning, diag.Style{}, `
╷ Warning: Old
│
│   in reward.gaia.answer
│
│ one
│ two
│ (reported by plugin gaia)
╵
`},
		"narrow": {diag.Diagnostic{Severity: diag.Error, Summary: "Long", Detail: "words that go on and on until the end"}, diag.Style{Width: 20}, `
╷ Error: Long
│
│ words that go on
│ and on until the
│ end
╵
`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), render(t, tc.problem, tc.style)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWriteHuman_ColorsUnderlineInstead(t *testing.T) {
	got := render(t, problem("-1"), diag.Style{Color: true})
	if !strings.Contains(got, "steps = \x1b[1;4;4m-1\x1b[m") || strings.Contains(got, "──") {
		t.Errorf("the wrong part is not underlined:\n%q", got)
	}
}

func TestWriteHuman_CropsLongLines(t *testing.T) {
	text := "x = \"" + strings.Repeat("ä", 400) + "\" + WRONG + \"" + strings.Repeat("b", 400) + "\""
	start := strings.Index(text, "WRONG")
	r := diag.Range{File: "f", Start: diag.Position{Line: 1, Byte: start}, End: diag.Position{Line: 1, Byte: start + 5}}
	d := diag.Diagnostic{Severity: diag.Error, Summary: "S", Range: &r,
		Snippet: diag.Sources{"f": []byte(text)}.Snippet(r, "")}
	got := render(t, d, diag.Style{Width: 80})
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(got, "WRONG") || !strings.Contains(got, "─────") {
		t.Errorf("what is wrong is out of sight:\n%s", got)
	}
}

// Texts of plugins and files must not control the terminal.
func TestWriteHuman_EscapesControlSequences(t *testing.T) {
	const evil = "a\x1b[2Jb\x07\u202ec\x9bd"
	r := diag.Range{File: evil, Start: diag.Position{Line: 1}, End: diag.Position{Line: 1, Byte: 3}}
	d := diag.Diagnostic{
		Severity: diag.Error, Summary: evil, Detail: evil, Plugin: evil, Range: &r,
		Snippet: &diag.Snippet{Context: evil, Code: evil, StartLine: 1, HighlightEnd: 3,
			Values: []diag.Value{{Name: evil, Text: evil}}},
	}
	got := render(t, d, diag.Style{Width: 60})
	for _, r := range got {
		if r == '\x1b' || r == '\a' || r == '\u202e' || r == '\u009b' || r == utf8.RuneError {
			t.Fatalf("%U reaches the terminal:\n%q", r, got)
		}
	}
}

func TestDiagnostic_ShowsProgramsWhatIsWrong(t *testing.T) {
	line, err := json.Marshal(problem("-1"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatal(err)
	}
	snippet := got["snippet"].(map[string]any)
	if got["severity"] != "error" || snippet["code"] != "\tsteps = -1" || snippet["start_line"] != 2.0 {
		t.Errorf("unexpected fields: %s", line)
	}
	if code := snippet["code"].(string); code[int(snippet["highlight_start"].(float64)):int(snippet["highlight_end"].(float64))] != "-1" {
		t.Errorf("the highlight is not what is wrong: %s", line)
	}
}

func TestDiagnostics_AsError(t *testing.T) {
	if err := (diag.Diagnostics{{Severity: diag.Warning, Summary: "w"}}).Err(); err != nil {
		t.Errorf("warnings are no error: %v", err)
	}
	err := diag.Diagnostics{{Severity: diag.Warning, Summary: "w"}, problem("-1"), problem("-1")}.Err()
	if want := "train.hcl:2:10: Bad thing: Do it otherwise. (and 1 more)"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// Ranges come from parsers and plugins. No range may cause a panic in Snippet.
func FuzzSnippet(f *testing.F) {
	f.Add([]byte(source), 12, 14, 2)
	f.Add([]byte("\xff\xfe"), 0, 9, 1)
	f.Add([]byte(""), -1, 5, 0)
	f.Add([]byte("a\nb"), 3, 1, 2)
	f.Fuzz(func(t *testing.T, text []byte, start, end, line int) {
		r := diag.Range{File: "f", Start: diag.Position{Line: line, Byte: start}, End: diag.Position{Line: line, Byte: end}}
		d := diag.Diagnostic{Severity: diag.Error, Summary: "S", Range: &r, Snippet: diag.Sources{"f": text}.Snippet(r, "")}
		for _, style := range []diag.Style{{}, {Width: 40}, {Color: true, Width: 80}} {
			if out := render(t, d, style); !utf8.ValidString(out) {
				t.Errorf("not text: %q", out)
			}
		}
	})
}
