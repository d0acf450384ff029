// Package conformance holds a plugin, in any language, to the plugin protocol.
//
//	func TestConformance(t *testing.T) {
//		conformance.Run(t, conformance.Config{Command: []string{"./my-reward"}, Fixtures: "conformance.json"})
//	}
//
// Run is for Go tests; Verify gives a Report, which `awhost plugin test` prints. Both play the same registry: each Check has an id
// that never changes, a level, the sentence of the protocol that it enforces, and what to do where it fails. A check that needs a
// capability is skipped, by that capability's name, where a component does not declare it.
//
// A check talks to the plugin as the process that it will be: started by the host's rules, over mutual TLS, with raw messages, so
// that no library repairs what is wrong.
//
//	registry   registry.go   all checks, in order
//	trial      trial.go      what a check gets: processes, components, fixtures, and how it fails
//	deaths     death.go      what the report says of a plugin that did not come up, or died
//	suite      suite.go      which checks are played, in which order, with which processes
//	episodes   play.go       how a check plays an environment
//	training   stage.go host.go probes.go   how the suite is an adapter's host
//	acting     scene.go scene_answers.go    how the suite is an agent's policy and environment
//	checks     process.go component.go environment.go reward.go adapter.go endurance.go
//	           agent.go agent_checks.go agent_failures.go
//	recording  record.go     what a plugin answers, and whether another version answers the same
//	fixtures   fixtures.go   what only the author can say: a configuration, tasks, answers and what they are worth
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

// Config says what is to be checked.
type Config struct {
	Command    []string          // program and arguments
	Dir        string            // working directory; empty: this one's
	Env        map[string]string // beside what the protocol sets
	PassEnv    []string          // variables of this process that the plugin gets, too
	Fixtures   string            // file; empty: what the schemas and the plugin itself say has to do
	Components []string          // addresses ("reward.exact") of those to check; empty: all
	Only       []string          // ids of checks, or their beginnings ("ENV", "ENV-STEP"); empty: all
	Log        io.Writer         // gets what the plugin writes on standard error; nil: nobody does
	// Playing is told of each check before it is played, not of those that are skipped, with the address of the component (empty: the
	// plugin itself). The suite waits until it returns. nil: nobody is told.
	Playing func(check *Check, component string)
	// Calling is told of each call that Record and Replay make, before it is made; nil: nobody is.
	Calling func(component, method string)
	// Patience is how long a plugin may take where the protocol names no time: to start, to answer a call of a component. 0 means 60 s.
	Patience time.Duration
	// Endurance is how long the ten thousand episodes, or items, may take that show what a plugin keeps and whether it
	// changes: one that is slower plays fewer. 0 means what the environment variable AWHOST_ENDURANCE says, or 30 s.
	Endurance time.Duration
}

// enduranceVariable shortens or lengthens the longest probes of all plugins of a CI job, whoever calls the suite there.
const enduranceVariable = "AWHOST_ENDURANCE"

// defaultEndurance is how long thousands of episodes may take where nobody says so in the configuration.
func defaultEndurance() (time.Duration, error) {
	text := os.Getenv(enduranceVariable)
	if text == "" {
		return 30 * time.Second, nil
	}
	endurance, err := time.ParseDuration(text)
	if err != nil || endurance <= 0 {
		return 0, fmt.Errorf("read the environment variable %s: %q is no positive duration such as 10s",
			enduranceVariable, text)
	}
	return endurance, nil
}

// Level says what a failed check means.
type Level string

// The levels.
const (
	Must   Level = "MUST"   // the plugin does not conform
	Should Level = "SHOULD" // it conforms, and is less than its users expect
)

// Check is one rule of the protocol and how it is held.
type Check struct {
	ID     string // "ENV-STEP-03"; never changes, and is never given to another rule
	Level  Level
	Title  string   // what a plugin does that passes, as a sentence without its end
	Rule   string   // the sentence that it enforces, and where it stands
	Remedy string   // what to do where it fails
	Needs  Need     // the capability that it is about; empty: all plugins of its group
	After  []string // checks without which this one says nothing: it is skipped where one of them failed
	run    func(*T)
}

// Need is a capability that a component declares, as the report names it.
type Need string

// Status is what became of a check.
type Status string

// The statuses.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Run plays the suite in a Go test, each check of each component a subtest. Failed SHOULD checks are logged.
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

// Verify plays the suite and says what came of each check. An error means that it could not be played.
func Verify(ctx context.Context, c Config) (*Report, error) {
	s, err := newSuiteOf(&c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.play(ctx)
}

// newSuiteOf is a suite for the plugin, with defaults for what the configuration leaves out.
func newSuiteOf(c *Config) (*suite, error) {
	if len(c.Command) == 0 {
		return nil, fmt.Errorf("check a plugin: there is no command")
	}
	if c.Patience == 0 {
		c.Patience = 60 * time.Second
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
