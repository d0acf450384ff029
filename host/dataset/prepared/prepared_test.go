package prepared_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/internal/hubtest"
)

// newStore returns a store in a test directory, with an environment.
func newStore(t *testing.T, env map[string]string) prepared.Store {
	t.Helper()
	dir := t.TempDir()
	return prepared.Store{
		SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"),
		Getenv: func(name string) (string, bool) { value, ok := env[name]; return value, ok },
	}
}

// rows returns the rows of a dataset after Locate.
func rows(t *testing.T, s prepared.Store, config dataset.Config) string {
	t.Helper()
	located, err := s.Locate(config)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, path := range located.Files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// wants checks that an error contains a text, and that it asks for init if expected.
func wants(t *testing.T, err error, words string, init bool) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("the error is %v, want %q", err, words)
	}
	var missing *prepared.NotPreparedError
	if errors.As(err, &missing) != init {
		t.Errorf("%v is a NotPreparedError: %v, want %v", err, !init, init)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const gsm8k = "openai/gsm8k"

func fromHub(split string) dataset.Config {
	return dataset.Config{Type: dataset.TypeHuggingFace, Repo: gsm8k, Revision: "main", Split: split}
}

func TestPrepare_FetchesASplitOnceAndPinsIt(t *testing.T) {
	const first, second = "{\"question\":\"1+1\"}\n", "{\"question\":\"2+2\"}\n"
	hub := hubtest.New(t, hubtest.Repo{Name: gsm8k, Files: map[string][]byte{
		"train.jsonl": []byte(first), "test.jsonl": []byte("{}\n"),
	}})
	s := newStore(t, map[string]string{"HF_ENDPOINT": hub.URL})
	_, err := s.Locate(fromHub("train"))
	wants(t, err, "is not downloaded", true)
	done, err := s.Prepare(t.Context(), "dataset.huggingface.train", fromHub("train"), prepared.Options{})
	if err != nil || done.Here || done.Files != 1 || done.Bytes != int64(len(first)) {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := rows(t, s, fromHub("train")); got != first {
		t.Errorf("the rows are %q", got)
	}
	_, err = s.Locate(fromHub("test")) // only train was fetched
	wants(t, err, "test.jsonl of dataset openai/gsm8k is not downloaded", true)

	hub.Change(gsm8k, map[string][]byte{"train.jsonl": []byte(second)})
	asked := len(hub.Requests())
	if done, err = s.Prepare(t.Context(), "a", fromHub("train"), prepared.Options{}); err != nil || !done.Here {
		t.Errorf("again: %+v, %v", done, err)
	}
	if got := rows(t, s, fromHub("train")); got != first || len(hub.Requests()) != asked {
		t.Errorf("the rows are %q, after %d more requests", got, len(hub.Requests())-asked)
	}
	if _, err = s.Prepare(t.Context(), "a", fromHub("train"), prepared.Options{Upgrade: true}); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, s, fromHub("train")); got != second {
		t.Errorf("the rows are %q after an upgrade", got)
	}
}

func TestPrepare_SaysWhatKeepsItFromTheHub(t *testing.T) {
	hub := hubtest.New(t, hubtest.Repo{Name: gsm8k, Files: map[string][]byte{"train.jsonl": []byte("{}\n")}})
	elsewhere := fromHub("train")
	elsewhere.Repo = "nobody/nothing"
	for name, test := range map[string]struct {
		env    map[string]string
		config dataset.Config
		words  string
	}{
		"offline": {
			map[string]string{"HF_ENDPOINT": hub.URL, "HF_HUB_OFFLINE": "1"}, fromHub("train"),
			"HF_HUB_OFFLINE is set",
		},
		"no address": {map[string]string{"HF_ENDPOINT": "hub"}, fromHub("train"), "which is not the URL of a hub"},
		"no repo":    {map[string]string{"HF_ENDPOINT": hub.URL}, elsewhere, "a local directory has priority"},
		"no split":   {map[string]string{"HF_ENDPOINT": hub.URL}, fromHub("dev"), "dev"},
	} {
		_, err := newStore(t, test.env).Prepare(t.Context(), "a", test.config, prepared.Options{})
		t.Run(name, func(t *testing.T) { wants(t, err, test.words, false) })
	}
}

func TestPrepare_GoesOnWithADownloadThatWasCut(t *testing.T) {
	text := strings.Repeat("{\"question\":\"1+1\"}\n", 100)
	hub := hubtest.New(t, hubtest.Repo{Name: gsm8k, Files: map[string][]byte{"train.jsonl": []byte(text)}})
	hub.Cut("train.jsonl", 700)
	s := newStore(t, map[string]string{"HF_ENDPOINT": hub.URL})
	if _, err := s.Prepare(t.Context(), "a", fromHub("train"), prepared.Options{}); err != nil {
		t.Fatal(err)
	}
	if rows(t, s, fromHub("train")) != text {
		t.Error("the rows differ from the hub's")
	}
}

func command(words ...string) dataset.Config {
	return dataset.Config{Type: dataset.TypeCommand, Command: words, Timeout: "1m"}
}

func TestPrepare_MakesRowsByAProgram(t *testing.T) {
	s := newStore(t, nil)
	write(t, s.SpecDir, "rows.sh", "echo '{\"n\": 1}'; echo; echo '  {\"n\": 2}'\n")
	write(t, s.SpecDir, "more/input", "1")
	config := command("sh", "rows.sh")
	config.Inputs = []string{"more"}
	_, err := s.Locate(config)
	wants(t, err, "are not generated", true)
	done, err := s.Prepare(t.Context(), "a", config, prepared.Options{})
	if diff := cmp.Diff(prepared.Done{What: "sh rows.sh", Files: 1, Bytes: 18}, done); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	if got := rows(t, s, config); got != "{\"n\": 1}\n{\"n\": 2}\n" {
		t.Errorf("the rows are %q", got)
	}
	if done, err = s.Prepare(t.Context(), "a", config, prepared.Options{}); err != nil || !done.Here {
		t.Errorf("again: %+v, %v", done, err)
	}
	write(t, s.SpecDir, "more/input", "2")
	_, err = s.Locate(config)
	wants(t, err, "input more changed since", true)
}

func TestPrepare_SaysWhatIsWrongWithAProgram(t *testing.T) {
	missing := command("sh", "-c", "echo '{}'")
	missing.Inputs = []string{"none"}
	slow := command("sh", "-c", "read line; exec sleep 600")
	slow.Timeout = "1ms"
	timeless := command("sh", "-c", "echo '{}'")
	timeless.Timeout = "soon"
	for name, test := range map[string]struct {
		config dataset.Config
		words  string
	}{
		"fails": {command("sh", "-c", "echo lost >&2; exit 3"), "exited with status 3"},
		"no JSON": {command("sh", "-c", "echo '{}'; echo rows"),
			`line 2 of the output is not a JSON object: "rows"`},
		"half a JSON":   {command("sh", "-c", "echo '{'"), "line 1 of the output is not a JSON object"},
		"no rows":       {command("true"), "returned no rows"},
		"no program":    {command("awhost-has-no-such-program"), "is not on PATH"},
		"no file":       {command("./none"), "none does not exist"},
		"no input":      {missing, "none does not exist"},
		"takes long":    {slow, "took longer than 1ms"},
		"no such time":  {timeless, `invalid timeout "soon"`},
		"not to be run": {command("/dev/null"), "cannot be executed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, nil)
			_, err := s.Prepare(t.Context(), "a", test.config, prepared.Options{})
			wants(t, err, test.words, false)
			if made, _ := filepath.Glob(filepath.Join(s.StateDir, "datasets", "made", "*")); len(made) > 0 {
				t.Errorf("it leaves %v", made)
			}
		})
	}
}

// function yields rows, or returns an error.
type function struct {
	rows []string
	err  error
}

func (f function) Find(dataset.Config) (prepared.Function, error) { return f, nil }
func (function) Basis() map[string]string                         { return map[string]string{"data.py": "sha256:1"} }
func (f function) Rows(_ context.Context, _ *slog.Logger, yield func([]byte) error) error {
	for _, row := range f.rows {
		if err := yield([]byte(row)); err != nil {
			return err
		}
	}
	return f.err
}

func TestPrepare_KeepsNothingOfAFunctionThatFails(t *testing.T) {
	config := dataset.Config{Type: dataset.TypePython, File: "data.py", Name: "train", Timeout: "1m"}
	s := newStore(t, nil)
	_, err := s.Prepare(t.Context(), "a", config, prepared.Options{})
	wants(t, err, "no runner for Python functions", false)
	s.Functions = function{rows: []string{`{"n":1}`}, err: errors.New("row 2 is none")}
	_, err = s.Prepare(t.Context(), "a", config, prepared.Options{})
	wants(t, err, "row 2 is none", false)
	_, err = s.Locate(config)
	wants(t, err, "the rows of data.py:train are not generated", true)
	s.Functions = function{rows: []string{`{"n":1}`, `{"n":2}`}}
	if _, err = s.Prepare(t.Context(), "a", config, prepared.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, s, config); got != "{\"n\":1}\n{\"n\":2}\n" {
		t.Errorf("the rows are %q", got)
	}
	made, _ := filepath.Glob(filepath.Join(s.StateDir, "datasets", "made", "*.jsonl"))
	if err := errors.Join(os.Chmod(made[0], 0o600), os.WriteFile(made[0], []byte("{}\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err = s.Locate(config)
	wants(t, err, "was changed since it was generated", true)
	if err := os.Remove(made[0]); err != nil {
		t.Fatal(err)
	}
	_, err = s.Locate(config)
	wants(t, err, "are missing", true)
}

func TestPrepare_RemovesWhatAKilledInitHasLeft(t *testing.T) {
	s := newStore(t, nil)
	for _, name := range []string{"made/.tmp-1", "hub/openai--gsm8k/.tmp-2"} {
		write(t, s.StateDir, filepath.Join("datasets", name), "half")
	}
	if _, err := s.Prepare(t.Context(), "a", command("echo", "{}"), prepared.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"made/.tmp-*", "hub/*/.tmp-*"} {
		if left, _ := filepath.Glob(filepath.Join(s.StateDir, "datasets", pattern)); len(left) > 0 {
			t.Errorf("it leaves %v", left)
		}
	}
}

var (
	_ prepared.Functions = function{}
	_ prepared.Function  = function{}
)
