// Package conformance checks a plugin, in any language, against the plugin protocol.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Config{Command: []string{"./my-reward"}, Fixtures: "conformance.json"})
//	}
//
// Run is for Go tests. Verify returns a Report, which `awhost plugin test` prints. Both run the same registry: each
// Check has a permanent ID, a level, the protocol sentence that it enforces, and a remedy. A check that needs a
// capability is skipped if the component does not declare it.
//
// A check uses the plugin as a process: it is started according to the host's rules and receives raw messages over
// mutual TLS, so that no library corrects mistakes.
//
//	registry   registry.go   all checks, in order
//	check run  checkrun.go   a running check: processes, components, fixtures, failures
//	crashes    crash.go      report texts for a plugin that did not start, or crashed
//	suite      suite.go      selection and order of the checks, and their processes
//	episodes   play.go       how a check plays an environment
//	training   stage.go host.go probes.go   the suite as an adapter's host
//	acting     agent_episode.go agent_episode_calls.go  the suite as an agent's policy and environment
//	checks     process.go component.go environment.go reward.go adapter.go endurance.go
//	           agent.go agent_checks.go agent_failures.go
//	recording  record.go     a plugin's answers, and whether another version gives the same
//	fixtures   fixtures.go   input from the author: a configuration, tasks, answers and their scores
//	report     report.go     text, JSON, JUnit
package conformance

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// Config holds a suite's settings.
type Config struct {
	Command    []string          // program and arguments
	Dir        string            // working directory; empty: the caller's
	Env        map[string]string // in addition to the protocol's variables
	PassEnv    []string          // variables of this process to pass to the plugin
	Fixtures   string            // file; empty: schemas and the plugin's own tasks are used
	Components []string          // addresses ("reward.exact") of the components to check; empty: all
	Only       []string          // ids of checks, or prefixes of ids ("ENV", "ENV-STEP"); empty: all
	Log        io.Writer         // receives the plugin's standard error; nil: discarded
	// OnCheck is called with the component's address (empty for the plugin itself) before each check that is run, but
	// not for skipped checks. The suite waits until it returns. May be nil.
	OnCheck func(check *Check, component string)
	// OnCall is called before each call made by Record and Replay. May be nil.
	OnCall func(component, method string)
	// CallTimeout is the time limit where the protocol does not set one: for starting, and for responding to a
	// component call. 0 means 60 s.
	CallTimeout time.Duration
	// Endurance is the time limit for the ten thousand episodes, or items, that detect leaks and changed responses. A
	// slower plugin plays fewer of them. 0 means the value of the environment variable AWHOST_ENDURANCE, or 30 s.
	Endurance time.Duration
	// Timeout is the time limit for the whole suite. The check that is running when it passes fails, and the later ones
	// are skipped. 0 means 45 minutes.
	Timeout time.Duration
}

// enduranceVariable sets the time limit for the longest probes for all plugins in a CI job, regardless of the caller.
const enduranceVariable = "AWHOST_ENDURANCE"

// defaultEndurance returns the time limit for thousands of episodes if the configuration does not set one.
func defaultEndurance() (time.Duration, error) {
	text := os.Getenv(enduranceVariable)
	if text == "" {
		return 30 * time.Second, nil
	}
	endurance, err := time.ParseDuration(text)
	if err != nil || endurance <= 0 {
		return 0, fmt.Errorf("read the environment variable %s: invalid duration %q: set a positive one such as 10s",
			enduranceVariable, text)
	}
	return endurance, nil
}

// Level is the consequence of a failed check.
type Level string

// The levels.
const (
	Must   Level = "MUST"   // the plugin does not conform
	Should Level = "SHOULD" // it conforms, but does less than its users expect
)

// Check is one rule of the protocol together with its enforcement.
type Check struct {
	ID     string // "ENV-STEP-03"; never changes, and is never reused for another rule
	Level  Level
	Title  string   // the behavior of a plugin that passes, as a sentence without a period
	Rule   string   // the sentence that it enforces, and its location
	Remedy string   // what to do if the check fails
	Needs  Need     // the required capability; empty: applies to all plugins of its group
	After  []string // prerequisite checks: it is skipped if one of them failed
	run    func(*T)
}

// Need is a capability that a component declares, as named in the report.
type Need string

// Status is the outcome of a check.
type Status string

// The statuses.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Run runs the suite in a Go test, with each check of each component as a subtest. Failed SHOULD checks are only
// logged.
func Run(t *testing.T, c Config) {
	t.Helper()
	report, err := Verify(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		name := r.Check.ID
		if r.Component != "" {
			name = r.Component + "/" + name
		}
		t.Run(name, func(t *testing.T) {
			switch {
			case r.Status == Skipped:
				t.Skip(r.Reason)
			case r.Status == Failed && r.Check.Level == Must:
				t.Error(r.explain())
			case r.Status == Failed:
				t.Log(r.explain())
			}
		})
	}
}

// Verify runs the suite and returns the result of each check. An error means that the suite could not be run. If ctx
// ends, the remaining checks are skipped.
func Verify(ctx context.Context, c Config) (*Report, error) {
	s, err := newSuiteOf(&c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.play(ctx)
}

// newSuiteOf returns a suite for the plugin, with defaults for unset configuration fields.
func newSuiteOf(c *Config) (*suite, error) {
	if len(c.Command) == 0 {
		return nil, fmt.Errorf("check a plugin: the command is empty")
	}
	if c.CallTimeout == 0 {
		c.CallTimeout = 60 * time.Second
	}
	if c.Timeout == 0 {
		c.Timeout = 45 * time.Minute
	}
	if c.Endurance == 0 {
		var err error
		if c.Endurance, err = defaultEndurance(); err != nil {
			return nil, err
		}
	}
	fixtures, err := readFixtures(c.Fixtures)
	if err != nil {
		return nil, err
	}
	return newSuite(*c, fixtures)
}
