package event

import (
	"cmp"
	"slices"
)

// FindingSeverity is the severity of a finding.
type FindingSeverity string

// The severities of findings.
const (
	FindingError   FindingSeverity = "error"   // the run teaches something else than its spec asks for, or nothing
	FindingWarning FindingSeverity = "warning" // the run may teach less than it could
)

// Finding reports something that goes wrong in a run: once when it is found, and for each later step in which it holds.
type Finding struct {
	ID       string          `json:"id"`                 // of the rule: "reward_divergence"
	Subject  string          `json:"subject,omitempty"`  // the tool, limit, metric, or dataset; empty: the stage
	Severity FindingSeverity `json:"severity"`           // error: the run teaches something else, or nothing
	Stage    string          `json:"stage"`              // name of the stage
	First    int             `json:"first_step"`         // step at which it was found
	Last     int             `json:"last_step"`          // last step at which it still held
	Summary  string          `json:"summary"`            // what happened, in one line with its numbers
	Causes   []string        `json:"causes,omitempty"`   // likely causes, the likeliest first
	Remedy   string          `json:"remedy"`             // what to do next
	Docs     string          `json:"docs"`               // section of the documentation, for awhost docs
	Numbers  Metrics         `json:"numbers"`            // the evidence, by metric
	Episodes []string        `json:"episodes,omitempty"` // examples, by episode id
	Messages []int           `json:"messages,omitempty"` // of a scan: the index of the message in each example, from 0
	New      bool            `json:"new"`                // it was found in this step
}

// Key identifies the finding in a run.
func (f *Finding) Key() string { return f.Stage + " " + f.ID + " " + f.Subject }

// SortFindings sorts findings: the severest first, then in the order of their first steps.
func SortFindings(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), // "error" precedes "warning"
			cmp.Compare(a.First, b.First), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Subject, b.Subject))
	})
}

// Kind implements Payload.
func (Finding) Kind() Kind { return KindFinding }

var _ Payload = Finding{}
