//go:build unix

// These tests create named pipes.

package data_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
)

// unpacked returns the small wheel as a folder.
func unpacked(t *testing.T) string {
	t.Helper()
	content := wheel(t)
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, archive); err != nil {
		t.Fatal(err)
	}
	return dir
}

const (
	asked    = "bfcl_eval/data/BFCL_v4_multi_turn_base.json"
	answered = "bfcl_eval/data/possible_answer/BFCL_v4_multi_turn_base.json"
)

// Errors of damaged sources must name the fault and a remedy.
func TestDamagedSources(t *testing.T) {
	write := func(name, content string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644) }
	}
	pipe := func(dir, name string) error {
		path := filepath.Join(dir, name)
		return errors.Join(os.RemoveAll(path), syscall.Mkfifo(path, 0o600))
	}
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   []string
	}{
		"no answers": {
			func(dir string) error { return os.RemoveAll(filepath.Join(dir, filepath.Dir(answered))) },
			[]string{"damaged or not complete", answered, "Download it again: `pip download --no-deps bfcl-eval==2026.3.23`"},
		},
		"broken question": {write(asked, "\n\n{\"id\": "),
			[]string{": BFCL_v4_multi_turn_base.json:3: ", "Download it again"}},
		"broken answer": {write(answered, "\n{"), []string{": possible_answer/BFCL_v4_multi_turn_base.json:2: ",
			"Download it again"}},
		"other answer": {write(answered, `{"id": "x"}`),
			[]string{"BFCL_v4_multi_turn_base.json:1 with possible_answer/", "ground_truth", "Download it again"}},
		"too few answers": {write(answered, ""), []string{"has 1 records and possible_answer/BFCL_v4_multi_turn_base.json 0. Download it again"}},
		"broken document": {write("bfcl_eval/data/multi_turn_func_doc/math_api.json", "["),
			[]string{"multi_turn_func_doc/math_api.json:1: ", "Download it again"}},
		"a pipe as data": {func(dir string) error { return pipe(dir, asked) }, []string{"is not a regular file"}},
		"another folder": {
			func(dir string) error {
				return os.Rename(filepath.Join(dir, asked), filepath.Join(dir, "bfcl_eval/data/BFCL_v5_multi_turn_base.json"))
			},
			[]string{"has no BFCL data", "in its bfcl_eval/data there is BFCL_v5_multi_turn_base.json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpacked(t)
			if err := c.damage(dir); err != nil {
				t.Fatal(err)
			}
			_, err := data.Open(dir, data.Options{Version: "v4", Categories: []string{"base"}})
			wants(t, err, c.want...)
		})
	}
}

func wants(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %q", err, part)
		}
	}
}

func TestNoWheels(t *testing.T) {
	dir := t.TempDir()
	pipe, cut := filepath.Join(dir, "pipe"), filepath.Join(dir, "cut.whl")
	whole := wheel(t)
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(cut, whole[:len(whole)/2], 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err := data.Open(pipe, data.Options{})
	wants(t, err, "neither a directory nor a wheel", "pip download")
	_, err = data.Open(cut, data.Options{})
	wants(t, err, "download it again", "pip download")
	_, err = data.Open(filepath.Join(dir, "none"), data.Options{})
	wants(t, err, "there is no BFCL data", "pip download")
}

func TestOtherVersion(t *testing.T) {
	dir := unpacked(t)
	var other *data.VersionError
	for _, categories := range [][]string{{"base"}, {"miss_func"}} {
		_, err := data.Open(dir, data.Options{Version: "v3", Categories: categories})
		if !errors.As(err, &other) || other.Has != "v4" || other.Wants != "v3" {
			t.Errorf("%v: %v", categories, err)
		}
	}
	_, err := data.Open(dir, data.Options{Version: "v4", Categories: []string{"miss_func"}})
	wants(t, err, "not complete", "BFCL_v4_multi_turn_miss_func.json")
}

func TestCategories(t *testing.T) {
	dir := unpacked(t)
	for want, categories := range map[string][]string{`"bse" is not a category`: {"bse"}, "twice": {"base", "base"},
		"null": {"base", ""}} {
		_, err := data.Open(dir, data.Options{Categories: categories})
		wants(t, err, want)
	}
}
