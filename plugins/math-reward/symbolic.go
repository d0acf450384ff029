package mathreward

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/process"
	pythons "github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/sandbox"
)

//go:embed symbolic.py
var symbolicScript string

// Limits on sympy, in addition to the limits that symbolic.py sets for each comparison.
const (
	symbolicStart  = 2 * time.Minute // imports of a busy machine
	symbolicWait   = 2 * time.Minute // for a comparison, which has 10 s of CPU time
	symbolicMemory = 1 << 30
)

// sympy compares formulas in the user's Python, in a sandbox. If the Python has ended, the next comparison starts it.
type sympy struct {
	python  string
	read    []string // paths of Python that the sandbox shows
	log     *slog.Logger
	version string

	mu      sync.Mutex
	running *process.Piped // nil: the next comparison starts it
	box     *sandbox.Box
}

// newSympy starts a Python, which shows that it has sympy.
func newSympy(ctx context.Context, program string, log *slog.Logger) (s *sympy, err error) {
	if program == "" {
		program, _, _ = pythons.Own()
	} else if inside, ok := pythons.InVenv(program); ok {
		program = inside
	}
	s = &sympy{log: log}
	if s.python, s.read, err = sandbox.Python(ctx, program); err == nil {
		err = s.start(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("start sympy in %s: %w; install latex2sympy2_extended[antlr4_13_2] there, or set python",
			program, err)
	}
	return s, nil
}

func (s *sympy) start(ctx context.Context) (err error) {
	c := process.Config{
		Name: "sympy", Command: []string{s.python, "-s", "-u", "-c", symbolicScript}, Log: s.log, Grace: -1,
		Run: os.Getenv(process.EnvRun),
		Env: map[string]string{"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
	}
	s.box, err = sandbox.New(sandbox.Policy{Read: s.read, Limits: sandbox.Limits{MemoryBytes: symbolicMemory}})
	if err != nil {
		return err
	}
	if err = s.box.Apply(&c); err == nil {
		s.running, err = process.StartPiped(ctx, c)
	}
	if err != nil {
		s.box.Close()
		return err
	}
	s.box.Started()
	if err = s.exchange(ctx, nil, symbolicStart, &s.version); err != nil {
		last := s.running.LastLines()
		s.end()
		return fmt.Errorf("%w: %s", err, strings.Join(last, "\n"))
	}
	return nil
}

// exchange sends a value and waits for the answer. It ends the process if ctx ends.
func (s *sympy) exchange(ctx context.Context, value any, wait time.Duration, into any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	running := s.running // end may set the field to nil before ctx ends
	defer context.AfterFunc(ctx, func() { _ = running.Kill(context.Background()) })()
	if line, err = running.Exchange(line, wait); err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}

// end ends the process, and returns the limit of the sandbox that it exceeded.
func (s *sympy) end() (excess string) {
	_ = s.running.Kill(context.Background()) // bounded
	report := s.box.Close()
	s.running.In.Close()
	s.running.Out.Close()
	s.running = nil
	return report.Excess
}

// equal compares two formulas in LaTeX. A comparison that exceeds a limit is an error.
func (s *sympy) equal(ctx context.Context, truth, answer string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil && isClosed(s.running.Done()) {
		s.end()
	}
	if s.running == nil {
		if err := s.start(ctx); err != nil {
			return false, fmt.Errorf("start sympy: %v", err)
		}
	}
	var verdict struct {
		Equal   bool   `json:"equal"`
		Failure string `json:"failure"`
	}
	if err := s.exchange(ctx, []string{truth, answer}, symbolicWait, &verdict); err != nil {
		const limits = "; the limits are 10 s of CPU time and 1 GiB of memory"
		verdict.Failure = cmp.Or(s.end(), err.Error()+limits)
	}
	if verdict.Failure != "" {
		return false, fmt.Errorf(`sympy did not compare the answer: %s; simplify the ground truth, or set symbolic = "none"`,
			verdict.Failure)
	}
	return verdict.Equal, nil
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// decide compares two formulas that the judge cannot compare, and records the versions.
func (s *sympy) decide(ctx context.Context, v *verdict) error {
	if !v.formulas {
		return nil
	}
	same, err := s.equal(ctx, v.truth, v.Answer)
	v.Correct, v.Symbolic, v.Compared = same, same, "by "+s.version
	return err
}

func (s *sympy) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.end()
	}
}
