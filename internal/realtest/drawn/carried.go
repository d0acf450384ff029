package drawn

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/awhost/awhost/sdk/framework"
)

// Carried compares the configurations that a framework's adapter carries, in the file at path, with the probe's answers
// for installations, by version. With update it replaces them.
func Carried(t *testing.T, f framework.Framework, path, python string, roots map[string]string, update bool) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(f.Tested))
	check(t, err)
	text, err := io.ReadAll(unzipped)
	check(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for version, root := range roots {
		answer, err := f.Probe(t.Context(), python, root, version)
		check(t, err)
		begin := fmt.Appendf(nil, `{"version":%q,`, version)
		at := slices.IndexFunc(lines, func(line []byte) bool { return bytes.HasPrefix(line, begin) })
		if at < 0 || !update && !bytes.Equal(lines[at], answer) {
			t.Fatalf("%s has another configuration of %s than the probe, or none: add a line, or run the test with -update",
				path, version)
		}
		lines[at] = answer
	}
	if update {
		var out bytes.Buffer
		zipped := gzip.NewWriter(&out)
		_, err := zipped.Write(bytes.Join(lines, nil))
		check(t, err)
		check(t, zipped.Close())
		check(t, os.WriteFile(path, out.Bytes(), 0o644))
	}
}

// CarriedByKit does so for an adapter on sdk/framework/hf, in whose directory the test runs, and for the kit.
func CarriedByKit(t *testing.T, all []framework.Framework, python string, update bool) {
	t.Helper()
	for i, f := range all {
		installed, err := f.Find(python, "")
		check(t, err)
		path := "tested.jsonl.gz"
		if i > 0 {
			path = "../../sdk/framework/hf/" + f.Package + ".jsonl.gz"
		}
		Carried(t, f, path, python, map[string]string{installed.Packages[f.Package]: installed.Root}, update)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
