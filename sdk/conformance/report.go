package conformance

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Report is the result of a suite.
type Report struct {
	Command []string `json:"command"`
	Plugin  string   `json:"plugin"`  // its name; empty: Describe failed
	Version string   `json:"version"` // likewise
	SDK     string   `json:"sdk"`     // likewise
	Results []Result `json:"results"`
	// Interrupted explains why the last checks were not run; nil: all were.
	Interrupted error `json:"-"`
}

// Result is the outcome of one check for one component.
type Result struct {
	Check     *Check
	Component string // "reward.exact"; empty: the plugin itself
	Status    Status
	Reason    string // of a failure or a skip
	Remedy    string // of a failure: the check's remedy, unless the failure has a better one
	Duration  time.Duration
}

// Count counts the results for a level by status. An empty level includes both levels.
func (r *Report) Count(level Level, status Status) int {
	n := 0
	for _, result := range r.Results {
		if result.Status == status && (level == "" || result.Check.Level == level) {
			n++
		}
	}
	return n
}

// Conforms reports whether all checks were run, no MUST check failed, and at least one passed.
func (r *Report) Conforms() bool {
	return r.Interrupted == nil && r.Count(Must, Failed) == 0 && r.Count(Must, Passed) > 0
}

// Conclusive reports whether a MUST check was run. SHOULD checks alone do not determine conformance.
func (r *Report) Conclusive() bool { return r.Count(Must, Passed)+r.Count(Must, Failed) > 0 }

// AllSkipped reports whether all checks were skipped.
func (r *Report) AllSkipped() bool { return r.Count("", Passed) == 0 && r.Count("", Failed) == 0 }

// Summary returns a one-line summary of the report.
func (r *Report) Summary() string {
	passed, failed := r.Count(Must, Passed), r.Count(Must, Failed)
	line := fmt.Sprintf("protocol %d: MUST %d/%d", sdk.ProtocolVersion, passed, passed+failed)
	passed, failed = r.Count(Should, Passed), r.Count(Should, Failed)
	line += fmt.Sprintf(", SHOULD %d/%d", passed, passed+failed)
	if n := r.Count("", Skipped); n > 0 {
		line += fmt.Sprintf(", %d skipped", n)
	}
	return line
}

// explain formats a failure with the rule and how to fix it.
func (r *Result) explain() string {
	return fmt.Sprintf("%s (%s): expected: %s\n%s\nrule: %s\nremedy: %s", r.Check.ID, r.Check.Level, r.Check.Title,
		r.Reason, r.Check.Rule, r.Remedy)
}

// junitSuite is a report for CI systems.
type junitSuite struct {
	XMLName  xml.Name `xml:"testsuite"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Seconds  string   `xml:"time,attr"`

	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Seconds string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit returns the report in JUnit format. A failed SHOULD check appears as skipped, with its reason, so that it does
// not fail a build.
func (r *Report) JUnit() ([]byte, error) {
	out := junitSuite{Name: "awhost-conformance", Tests: len(r.Results), Properties: []junitProperty{
		{"plugin", r.Plugin}, {"version", r.Version}, {"sdk", r.SDK},
		{"protocol", strconv.Itoa(sdk.ProtocolVersion)}, {"awhost", sdk.Version},
		{"conforms", strconv.FormatBool(r.Conforms())},
	}}
	var total time.Duration
	for _, result := range r.Results {
		c := junitCase{Class: result.Component, Name: result.Check.ID + ": " + result.Check.Title,
			Seconds: fmt.Sprintf("%.3f", result.Duration.Seconds())}
		total += result.Duration
		if c.Class == "" {
			c.Class = "plugin"
		}
		message := &junitMessage{Message: firstLine(result.Reason), Text: result.Reason}
		switch {
		case result.Status == Failed && result.Check.Level == Must:
			message.Text = result.explain()
			c.Failure = message
			out.Failures++
		case result.Status != Passed:
			c.Skipped = message
			out.Skipped++
		}
		out.Cases = append(out.Cases, c)
	}
	out.Seconds = fmt.Sprintf("%.3f", total.Seconds())
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
