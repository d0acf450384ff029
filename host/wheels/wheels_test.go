package wheels_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/wheels"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

// read returns the files of a wheel, with their modes in front, and checks its RECORD.
func read(t *testing.T, w *wheels.Wheel) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(w.Data), int64(len(w.Data)))
	if err != nil {
		t.Fatal(err)
	}
	files, record, lines := map[string]string{}, "", ""
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, "/RECORD") {
			record, lines = string(text), lines+f.Name+",,\n"
			continue
		}
		sum := sha256.Sum256(text)
		lines += fmt.Sprintf("%s,sha256=%s,%d\n", f.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
		files[f.Name] = fmt.Sprintf("%v %s", f.Mode(), text)
	}
	if diff := cmp.Diff(lines, record); diff != "" {
		t.Errorf("RECORD (-want +got):\n%s", diff)
	}
	return files
}

func TestPure(t *testing.T) {
	w, err := wheels.Pure(fstest.MapFS{
		"pyproject.toml": {Data: []byte("[project]\nname = \"My.tool\"\nversion = \"1.2\"\ndescription = \"A tool.\"\n" +
			"requires-python = \">=3.10\"\ndependencies = [\"grpcio>=1\"]\noptional-dependencies.x = [\"a; b\", \"c\"]\n")},
		"tool/__init__.py": {Data: []byte("x = 1\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"tool/__init__.py": "-rw-r--r-- x = 1\n",
		"my_tool-1.2.dist-info/METADATA": "-rw-r--r-- Metadata-Version: 2.1\nName: My.tool\nVersion: 1.2\n" +
			"Summary: A tool.\nLicense: Apache-2.0\nRequires-Python: >=3.10\nRequires-Dist: grpcio>=1\nProvides-Extra: x\n" +
			"Requires-Dist: a; (b) and extra == \"x\"\nRequires-Dist: c; extra == \"x\"\n",
		"my_tool-1.2.dist-info/WHEEL": "-rw-r--r-- Wheel-Version: 1.0\nGenerator: awhost\nRoot-Is-Purelib: true\n" +
			"Tag: py3-none-any\n",
	}
	if diff := cmp.Diff(want, read(t, w)); diff != "" || w.File != "my_tool-1.2-py3-none-any.whl" {
		t.Errorf("%s (-want +got):\n%s", w.File, diff)
	}
}

func TestProgram(t *testing.T) {
	make := func() *wheels.Wheel {
		w, err := wheels.Program(wheels.Metadata{Name: "tool", Version: "1.2", Description: "A tool."}, "linux_a.linux_b",
			[]byte("\x7fELF"))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := make()
	want := map[string]string{
		"tool-1.2.data/scripts/tool": "-rwxr-xr-x \x7fELF",
		"tool-1.2.dist-info/METADATA": "-rw-r--r-- Metadata-Version: 2.1\nName: tool\nVersion: 1.2\nSummary: A tool.\n" +
			"License: Apache-2.0\n",
		"tool-1.2.dist-info/WHEEL": "-rw-r--r-- Wheel-Version: 1.0\nGenerator: awhost\nRoot-Is-Purelib: false\n" +
			"Tag: py3-none-linux_a\nTag: py3-none-linux_b\n",
	}
	if diff := cmp.Diff(want, read(t, w)); diff != "" || w.File != "tool-1.2-py3-none-linux_a.linux_b.whl" {
		t.Errorf("%s (-want +got):\n%s", w.File, diff)
	}
	if again := make(); !bytes.Equal(w.Data, again.Data) || w.Hash != again.Hash {
		t.Error("the same content results in other bytes")
	}
}

func TestPure_TheSDKHasTheVersionOfAwhost(t *testing.T) {
	w, err := wheels.Pure(python.Sources)
	if err != nil {
		t.Fatal(err)
	}
	if w.Name != "awhost-sdk" || w.Version != sdk.Version {
		t.Errorf("sdk/python/pyproject.toml describes %s %s: want awhost-sdk %s", w.Name, w.Version, sdk.Version)
	}
}
