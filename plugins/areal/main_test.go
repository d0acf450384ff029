package areal

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// versions are the AReaLs of the test data, by the name of their archive.
var versions = map[string]string{"1.0.4": "areal-1.0.4.tar.gz", "2.0.0": "areal-cbff54d6.tar.gz"}

// checkout unpacks what the plan reads of an AReaL.
func checkout(t *testing.T, version string) string {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with reference data: AReaL's sources are in it")
	}
	file, err := os.Open(filepath.Join(data, "frameworks", versions[version]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(header.Name, "/")
		if name == "pyproject.toml" || name == "areal/api/cli_args.py" {
			write(t, filepath.Join(dir, name), archive)
		}
	}
}

func write(t *testing.T, path string, from io.Reader) {
	t.Helper()
	text, err := io.ReadAll(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// environment makes what looks like a virtual environment with the packages that a plan asks for.
func environment(t *testing.T) (python string) {
	t.Helper()
	dir := t.TempDir()
	python = filepath.Join(dir, "bin", "python")
	write(t, python, strings.NewReader("#!/bin/sh\nexit 1\n"))
	if err := os.Chmod(python, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "pyvenv.cfg"), strings.NewReader("home = /nowhere\n"))
	names := []string{"sglang", "vllm", "litellm", "openai", "fastapi"}
	for _, p := range packages {
		names = append(names, p.name)
	}
	for _, name := range names {
		info := filepath.Join(dir, "lib", "python3.11", "site-packages", strings.ReplaceAll(name, "-", "_")+"-1.0.dist-info", "METADATA")
		write(t, info, strings.NewReader("Name: "+name+"\n"))
	}
	return python
}

// model makes a folder that looks like a policy.
func model(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.json"), strings.NewReader(`{"max_position_embeddings":512}`))
	return dir
}
