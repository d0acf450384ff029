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
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	for version, root := range roots {
		answer, err := f.Probe(t.Context(), python, root, version)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(lines, func(line []byte) bool {
			return bytes.HasPrefix(line, fmt.Appendf(nil, `{"version":%q,`, version))
		})
		switch {
		case at < 0:
			t.Errorf("%s has no configuration of %s: add a line", path, version)
		case update:
			lines[at] = answer
		case !bytes.Equal(lines[at], answer):
			t.Errorf("%s has another configuration of %s than the probe: run the test with -update", path, version)
		}
	}
	if !update {
		return
	}
	var out bytes.Buffer
	zipped, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	if _, err := zipped.Write(append(bytes.Join(lines, []byte("\n")), '\n')); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
