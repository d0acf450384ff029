package python_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/python"
)

// interpreter creates a program that replaces Python.
func interpreter(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTinyModel_IsMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	m := python.TinyModel{Python: interpreter(t, `mkdir "$4" && echo "$3" > "$4/config.json" && ls "$PYTHONPATH/awhost_smoke"`), Like: "Some/Model", Dir: dir}
	for range 2 { // the program would fail if the folder existed
		if err := m.Make(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil || string(text) != "Some/Model\n" {
		t.Errorf("the model is like %q (%v)", text, err)
	}
}

func TestTinyModel_IsMadeInTheEnvironmentOfTheSpec(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	m := python.TinyModel{
		Python: interpreter(t, `mkdir "$4" && echo "$HF_ENDPOINT,$CUDA_VISIBLE_DEVICES" > "$4/seen"`), Like: "Some/Model",
		Dir: dir,
		Env: map[string]string{"HF_ENDPOINT": "https://mirror", "CUDA_VISIBLE_DEVICES": "0"},
	}
	if err := m.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "seen")); err != nil || string(text) != "https://mirror,\n" {
		t.Errorf("the program saw %q (%v)", text, err)
	}
}

func TestTinyModel_SaysWhyItCouldNotBeMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	m := python.TinyModel{Python: interpreter(t, `mkdir "$4"; echo a traceback; echo "OSError: Some/Model is not a local folder"; exit 1`), Like: "Some/Model", Dir: dir}
	for range 2 { // leftovers of a failure do not prevent a retry
		err := m.Make(t.Context())
		if err == nil || !strings.Contains(err.Error(), "OSError: Some/Model is not a local folder") {
			t.Fatalf("the error is %v", err)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("an unfinished model exists")
	}
	if text, err := os.ReadFile(dir + ".log"); err != nil || !strings.Contains(string(text), "a traceback") {
		t.Errorf("the output of Python is %q (%v)", text, err)
	}
}
