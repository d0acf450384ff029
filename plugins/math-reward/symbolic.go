package mathreward

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk"
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

// sympy compares formulas in the user's Python, in a sandbox. After a failed comparison, it starts the Python again.
type sympy struct {
	python  string
	read    []string // paths of Python that the sandbox shows
	log     *slog.Logger
	version string

	mu      sync.Mutex
	running *process.Process // nil: the next comparison starts it
	box     *sandbox.Box
	in, out *os.File
	answers *bufio.Reader
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
	if err = s.launch(ctx, c); err == nil {
		err = s.receive(symbolicStart, &s.version)
	}
	if err == nil {
		return nil
	}
	p := s.running
	s.end()
	if p != nil {
		err = fmt.Errorf("%w: %s", err, strings.Join(p.LastLines(), "\n"))
	}
	return err
}

// launch starts the process with pipes as its standard input and output.
func (s *sympy) launch(ctx context.Context, c process.Config) (err error) {
	if c.Stdin, s.in, err = os.Pipe(); err != nil {
		return err
	}
	defer c.Stdin.Close()
	if s.out, c.Stdout, err = os.Pipe(); err != nil {
		return err
	}
	defer c.Stdout.Close()
	s.answers = bufio.NewReader(s.out)
	if err := s.box.Apply(&c); err != nil {
		return err
	}
	p, err := process.New(c)
	if err != nil {
		return err
	}
	if err := p.Start(ctx); err != nil {
		return err
	}
	s.running = p
	s.box.Started()
	return nil
}

// receive reads one line. The process never writes more than a short one.
func (s *sympy) receive(wait time.Duration, into any) error {
	if err := s.out.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return err
	}
	line, err := s.answers.ReadSlice('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}

// end ends the process, and reports which limit it exceeded.
func (s *sympy) end() (excess string) {
	if s.running != nil {
		_ = s.running.Kill(context.Background()) // bounded
	}
	report := s.box.Close()
	s.in.Close()
	s.out.Close()
	s.running = nil
	return report.Excess
}

// equal compares two formulas in LaTeX. A comparison that exceeds a limit is a failure.
func (s *sympy) equal(truth, answer string) (bool, *sdk.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		if err := s.start(context.Background()); err != nil {
			return false, failf("start sympy: %v", err)
		}
	}
	line, err := json.Marshal([]string{truth, answer})
	if err == nil {
		_, err = s.in.Write(append(line, '\n'))
	}
	var verdict struct {
		Equal   bool   `json:"equal"`
		Failure string `json:"failure"`
	}
	if err == nil {
		err = s.receive(symbolicWait, &verdict)
	}
	if err != nil {
		excess := s.end()
		return false, failf("sympy did not compare the answer within its limits: %v", errors.Join(err, errors.New(excess)))
	}
	if verdict.Failure != "" {
		return false, failf("sympy did not compare the answer: %s", verdict.Failure)
	}
	return verdict.Equal, nil
}

// decide compares two formulas that the judge cannot compare, and records the versions.
func (s *sympy) decide(v *verdict) *sdk.Failure {
	if !v.formulas {
		return nil
	}
	same, failure := s.equal(v.truth, v.Answer)
	v.Correct, v.Symbolic, v.Compared = same, same, "by "+s.version
	return failure
}

func (s *sympy) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.end()
	}
}
