package findings

import (
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/sdk/metric"
)

// The rules for a scan by a model. Its evidence comes by ReportScan.
const (
	ScanModel      = "scan_model"
	ScanIncomplete = "scan_incomplete"
)

var scanRules = []Rule{
	{
		ID: scan.RewardHack, Severity: fault, Title: "The policy gets rewards by other means than the task",
		Causes: []string{"the policy can change tests or files that decide the reward", "a judge follows text in answers"},
		Remedy: "Read the message, and take from the policy what it manipulates: keep tests outside its environment, " +
			"and use a reward that does not follow instructions",
	},
	{
		ID: scan.Environment, Severity: fault, Title: "A tool stops working in a conversation",
		Causes: []string{"a server behind the tool fails or limits requests", "the sandbox has no disk or memory left"},
		Remedy: "Repair the tool, and have it fail such episodes, so that they are not scored",
	},
	{
		ID: scan.LeakedAnswer, Severity: fault, Title: "The answer is shown before the policy gives it",
		Causes: []string{"a prompt template contains the answer", "the policy can read the file with the answers"},
		Remedy: "Remove the answer from prompts and from what tools can reach",
	},
	{
		ID: scan.Refusal, Severity: doubt, Title: "The policy declines a task",
		Causes: []string{"the model was aligned to refuse such tasks", "the prompt resembles a forbidden request"},
		Remedy: "Rephrase the prompt, remove the task, or use another model",
	},
	{
		ID: scan.Loop, Severity: doubt, Title: "The policy repeats calls or text without effect",
		Causes: []string{"the policy does not understand a tool's result", "the policy has collapsed"},
		Remedy: "Read the message, have the tool's result name what to do, or limit max_turns",
	},
	{
		ID: ScanModel, Severity: doubt, Title: "A model finds a problem in conversations",
		Causes: []string{"the criterion describes it"},
		Remedy: "Read the message: models err",
	},
	{
		ID: ScanIncomplete, Severity: doubt, Title: "A model did not scan conversations",
		Causes: []string{"the budget of the judge is spent", "its endpoint fails or is slow"},
		Remedy: "Raise max_calls or max_cost, or repair the endpoint, and scan again: awhost scan",
	},
}

func init() {
	for i := range scanRules {
		if r := &scanRules[i]; r.ID != ScanModel && r.ID != ScanIncomplete {
			r.Needs, r.check = []string{metric.Scanned}, scanned(r.ID)
		}
	}
}

// scanned returns the check of a rule about conversations.
func scanned(id string) func(*history) []found {
	return func(h *history) []found {
		hits := h.now[metric.Scans+id]
		if hits == 0 {
			return nil
		}
		return []found{{
			summary:  fmt.Sprintf("%.0f of %.0f conversations of step %d", hits, h.now[metric.Scanned], h.step),
			numbers:  event.Metrics{metric.Scans + id: hits},
			examples: func(e *Episode) bool { _, hit := e.Hits[id]; return hit },
		}}
	}
}

// ReportScan adds evidence of a scan, about a component of a judge or a cause. All episodes of the step show it.
func (e *Engine) ReportScan(id, subject string, step Step, summary string) Finding {
	every := func(*Episode) bool { return true }
	return e.keep(e.rule(id), &step, found{subject: subject, summary: summary, examples: every})
}
