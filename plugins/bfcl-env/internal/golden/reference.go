package golden

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:embed reference.py
var referenceProgram string

// Question is a string to decode, or a call to execute on new instances, with the reference program.
type Question struct {
	Text    string          `json:"text,omitempty"`
	Call    string          `json:"call,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Classes []string        `json:"classes,omitempty"`
}

// Answer is the reference program's answer.
type Answer struct {
	Decoded []string `json:"decoded"`
	Output  string   `json:"output"`
	Error   string   `json:"error"`   // why a text cannot be decoded
	Skipped string   `json:"skipped"` // too slow, or too much output
}

// Ask runs the reference program from the wheel of bfcl-eval 2026.3.23 in AWHOST_BFCL_WHEELS with CPython 3.11, whose
// messages the environment reproduces. If either is missing, the test is skipped with a message.
func Ask(t testing.TB, questions []Question) []Answer {
	t.Helper()
	folder := os.Getenv("AWHOST_BFCL_WHEELS")
	if folder == "" {
		t.Skip("SKIPPED: set AWHOST_BFCL_WHEELS to the folder that .ci/bfcl-wheels prints to compare with BFCL's own program")
	}
	if exec.Command("python3", "-c", "import sys; sys.exit(sys.version_info[:2] != (3, 11))").Run() != nil {
		t.Skip("SKIPPED: python3 is not CPython 3.11, whose values and words the environment has")
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-W", "ignore", "-c", referenceProgram,
		filepath.Join(folder, "bfcl_eval-2026.3.23-py3-none-any.whl"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go send(in, questions)
	answers := make([]Answer, 0, len(questions))
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if err := cmd.Wait(); err != nil || len(answers) != len(questions) {
		t.Fatalf("%d questions were answered of %d: %v", len(answers), len(questions), err)
	}
	return answers
}

// send writes the questions and closes the pipe. A write error results in missing answers.
func send(in io.WriteCloser, questions []Question) {
	defer in.Close()
	w := bufio.NewWriter(in)
	encoder := json.NewEncoder(w)
	for _, q := range questions {
		if encoder.Encode(q) != nil {
			return
		}
	}
	_ = w.Flush()
}

// SameButForSets compares texts. Each Python process orders a set of strings differently, so a string with a set only
// needs to contain the same characters.
func SameButForSets(got, want []string) bool {
	return slices.EqualFunc(got, want, func(a, b string) bool {
		return a == b || strings.Contains(a, "{") && slices.Equal(sorted(a), sorted(b))
	})
}

func sorted(text string) []rune {
	out := []rune(text)
	slices.Sort(out)
	return out
}
