package madness

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// ordinary yields normal texts of at least a few lines: prompts, answers, tool results and documents of BFCL, of
// other systems' users and of this repository, and requests of real programs to the gateway.
func ordinary(t *testing.T, yield func(source, text string)) {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED, no thresholds were checked against ordinary texts: set AWHOST_TESTDATA to the reference data")
	}
	for source, root := range map[string]string{
		"BFCL": filepath.Join(data, "reference/bfcl"), "vectors": filepath.Join(data, "reference/vectors"),
		"users": filepath.Join(data, "users"), "notes": filepath.Join(data, "reference/notes"),
		"programs": "../gateway/testdata/harness", "docs": "../../docs",
	} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			// AgentJet's vectors contain broken text, and fuzz corpora contain more
			if err != nil || !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), "madness") ||
				strings.HasPrefix(entry.Name(), "fuzz") {
				return err
			}
			return textsOf(path, func(text string) { yield(source, text) })
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fewestBytes is the minimum length of a text that is checked: shorter ones cannot contain a loop.
const fewestBytes = 200

// textsOf yields a document, or the strings in a JSON document.
func textsOf(path string, yield func(text string)) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(path, ".gz")
	if name != path {
		unpacked, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			return err
		}
		if content, err = io.ReadAll(unpacked); err != nil {
			return err
		}
	}
	switch filepath.Ext(name) {
	case ".md", ".py", ".yaml", ".sh", ".txt":
		yield(string(content))
	case ".json", ".jsonl":
		decoder := json.NewDecoder(bufio.NewReader(bytes.NewReader(content)))
		for {
			var value any
			if err := decoder.Decode(&value); err != nil {
				return nil // the end, or not JSON
			}
			eachText(value, yield)
		}
	}
	return nil
}

func eachText(value any, yield func(text string)) {
	switch v := value.(type) {
	case string:
		if len(v) >= fewestBytes {
			yield(v)
		}
	case []any:
		for _, item := range v {
			eachText(item, yield)
		}
	case map[string]any:
		for _, item := range v {
			eachText(item, yield)
		}
	}
}

// isLoop reports whether a text starts with repetitions of a short piece, as in some of the data's own tests.
func isLoop(text string) bool {
	head := text[:fewestBytes]
	for n := 1; n <= 16; n++ {
		if head == strings.Repeat(head[:n], fewestBytes/n+1)[:fewestBytes] {
			return true
		}
	}
	return false
}

// Measures the figures of docs/guides/madness.md, printed with -v: how many normal texts each profile reports as loops.
func TestLoops_AreNotFoundInOrdinaryTexts(t *testing.T) {
	rules := map[Profile]*Rules{}
	for _, name := range []Profile{ProfileAwhost, ProfileAgentJet} { // whose loops equal ajet-head's
		r, err := New(name, []Check{Repeat})
		if err != nil {
			t.Fatal(err)
		}
		rules[name] = r
	}
	type row struct{ texts, bytes, words, characters, theirs int }
	rows := map[string]*row{}
	seen := map[string]bool{}
	ordinary(t, func(source, text string) {
		if len(text) < fewestBytes || seen[text] || isLoop(text) {
			return
		}
		seen[text] = true
		if rows[source] == nil {
			rows[source] = &row{}
		}
		r, m := rows[source], &sdk.Message{Role: sdk.RoleAssistant, Content: text}
		r.texts++
		r.bytes += len(text)
		for _, f := range rules[ProfileAwhost].Find(m) {
			if f.Reason == ReasonRepeatedWords {
				r.words++
			} else {
				r.characters++
			}
			t.Errorf("%s: %s at %d of %d bytes, near %q", source, f.Reason, f.Offset, len(text), f.Near)
		}
		if len(rules[ProfileAgentJet].Find(m)) > 0 {
			r.theirs++
		}
	})
	for source, r := range rows {
		t.Logf("%s: %d texts, %d KiB; awhost takes %d for loops of words and %d of characters, AgentJet %d for loops",
			source, r.texts, r.bytes>>10, r.words, r.characters, r.theirs)
	}
}
