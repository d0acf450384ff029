package conformance

import (
	"math"
	"regexp"
	"slices"
	"strings"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// tokenChecks returns the checks for the tokens that an update trains and for the weights that sampled them.
func tokenChecks() []Check {
	after := append(slices.Clone(trained), "ADP-EPISODE-02", "ADP-GEN-02")
	return []Check{
		{
			ID: "ADP-MASK-01", Level: Must, After: after,
			Title: "with TokensEvent, only tokens that the policy sampled are trained",
			Rule: "adapter.proto, Usage: prompt_tokens: \"The tokens of the chain before the sampled ones.\"; TokensRow: " +
				"trained: \"Only sampled tokens are trained.\"",
			Remedy: "train exactly the sampled ids: check for a mask that is shifted by one token against the ids",
			run:    checkMasks,
		},
		{
			ID: "ADP-WEIGHTS-01", Level: Must, After: after,
			Title: "with TokensEvent, the log-probabilities of sampler and trainer differ as little in the last step as in " +
				"the first one",
			Rule: "adapter.proto, TokensRow: \"Log-probabilities at sampling, and in training before the first update of " +
				"the step.\"",
			Remedy: "load the new weights into the sampler after each update, before the next step's episodes",
			run:    checkSamplerWeights,
		},
		{
			ID: "ADP-GEN-05", Level: Must, After: after,
			Title: "messages are sampled from the policy_version of their episode's request, or a later one",
			Rule: "host.proto, RunEpisodeRequest: policy_version: \"The policy snapshot that all calls of this episode " +
				"sample from.\"",
			Remedy: "request an episode after the sampler has its weights; report the version that sampled",
			run:    checkVersions,
		},
	}
}

// reportedRow is a row of a TokensEvent with the messages that the policy sampled for it.
type reportedRow struct {
	*awhostv1.TokensRow
	step    int64
	answers []*awhostv1.GenerateResponse
}

// reportedRows returns a stage's whole rows that have trained tokens.
func (t *T) reportedRows(s *stage) []reportedRow {
	var out []reportedRow
	for _, e := range s.events {
		for _, row := range e.GetTokens().GetRows() {
			if row.GetTotal() > int64(len(row.GetIds())) || !slices.Contains(row.GetTrained(), true) ||
				len(row.GetTexts()) != len(row.GetIds()) || len(row.GetTrained()) != len(row.GetIds()) {
				continue
			}
			r := reportedRow{TokensRow: row, step: e.GetTokens().GetStep()}
			for _, a := range s.answers[row.GetEpisodeId()] {
				if row.GetChain() == "" || row.GetChain() == a.GetChain() {
					r.answers = append(r.answers, a)
				}
			}
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		t.skipf("%s sent no TokensEvent with `trained` and `texts`: set the attribute that enables it, such as "+
			"tokens_every, in config of the fixtures", t.component.address())
	}
	return out
}

// unlikeTokens matches the characters that the texts of single tokens may not have: white space, which decoders drop,
// and characters that several tokens share.
var unlikeTokens = regexp.MustCompile(`[^[:ascii:]]|\s`)

func checkMasks(t *T) {
	checked := 0
	for _, r := range t.reportedRows(t.failingStage().stage) { // no probes add chains to it
		if slices.ContainsFunc(r.answers, func(a *awhostv1.GenerateResponse) bool {
			return a.GetUsage().GetOutputTokens() == 0 || a.GetDrift() == awhostv1.Drift_DRIFT_REALIGN
		}) {
			continue // the positions of the sampled tokens are unknown
		}
		checked++
		sampled := make([]bool, len(r.GetIds()))
		for _, a := range r.answers {
			text, said := "", unlikeTokens.ReplaceAllString(textOf(a.GetMessage()), "")
			if len(a.GetMessage().GetToolCalls()) > 0 {
				said = "" // calls may interrupt the text
			}
			from, to := a.GetUsage().GetPromptTokens(), a.GetUsage().GetPromptTokens()+a.GetUsage().GetOutputTokens()
			for at := from; at < min(to, int64(len(sampled))); at++ {
				sampled[at] = true
				text += r.GetTexts()[at]
			}
			if !strings.Contains(unlikeTokens.ReplaceAllString(text, ""), said) {
				t.errorf("step %d, episode %s: the policy sampled %.80q, but the tokens %d to %d of the row are %.80q", r.step,
					r.GetEpisodeId(), said, from, to-1, text)
			}
		}
		for at, trained := range r.GetTrained() {
			if trained && !sampled[at] {
				t.errorf("step %d, episode %s: token %d, %q, is trained, but the policy did not sample it", r.step,
					r.GetEpisodeId(), at, r.GetTexts()[at])
			}
		}
	}
	if checked == 0 {
		t.skipf("%s reports no Usage for the messages of its rows", t.component.address())
	}
}

// The growth of the distance that numeric differences of engines explain.
const (
	logprobFactor = 5
	logprobSlack  = 1e-3
)

func checkSamplerWeights(t *T) {
	s := t.trainedStage()
	last, version := int64(0), map[int64]int64{}
	for _, c := range s.consumed() {
		version[c.GetStep()+1] = c.GetVersionAfter()
	}
	sum, count := map[int64]float64{}, map[int64]float64{}
	for _, r := range t.reportedRows(s) {
		if slices.ContainsFunc(r.answers, func(a *awhostv1.GenerateResponse) bool {
			return len(a.GetVersions()) == 0 || slices.ContainsFunc(a.GetVersions(),
				func(v *awhostv1.VersionSpan) bool { return v.GetVersion() < version[r.step] })
		}) {
			continue // sampled ahead of time, perhaps
		}
		for i := range min(len(r.GetSamplerLogprobs()), len(r.GetTrainerLogprobs())) {
			gap := math.Abs(float64(r.GetSamplerLogprobs()[i] - r.GetTrainerLogprobs()[i]))
			if r.GetTrained()[i] && finite(gap) {
				sum[r.step], count[r.step], last = sum[r.step]+gap, count[r.step]+1, max(last, r.step)
			}
		}
	}
	if count[1] == 0 || last < 2 {
		t.skipf("%s reported no log-probabilities of both sampler and trainer, with the versions that sampled, for the "+
			"first and a later step", t.component.address())
	}
	first, then := sum[1]/count[1], sum[last]/count[last]
	if then > logprobFactor*first+logprobSlack {
		t.errorf("the log-probabilities of sampler and trainer differ by %.3g in step 1, and by %.3g in step %d: the "+
			"sampler's weights are old", first, then, last)
	}
}

func checkVersions(t *T) {
	s, reported := t.failingStage().stage, false
	for _, e := range s.episodes {
		for _, a := range s.answers[e.GetEpisodeId()] {
			for _, v := range a.GetVersions() {
				if reported = reported || e.GetPolicyVersion() > 0; v.GetVersion() < e.GetPolicyVersion() {
					t.errorf("episode %s was requested with policy_version %d, but version %d sampled a message", e.GetEpisodeId(),
						e.GetPolicyVersion(), v.GetVersion())
				}
			}
		}
	}
	if !reported {
		t.skipf("%s does not report the versions that sampled a message, or requests each episode with policy_version 0",
			t.component.address())
	}
}
