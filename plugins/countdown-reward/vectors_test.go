package countdownreward

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/awhost/awhost/internal/vectors"
	"github.com/awhost/awhost/sdk/answertext"
)

type vector struct {
	Response any      `json:"response"`
	Target   any      `json:"target"`
	Nums     any      `json:"nums"`
	Expected *float64 `json:"expected"`
	Success  bool     `json:"success"`
	Error    string   `json:"error"`
}

// TestReferenceEqualsTheOriginal uses vectors made by running AgentJet's own judge.
func TestReferenceEqualsTheOriginal(t *testing.T) {
	for i, v := range vectors.Read[vector](t, "countdown_vectors.jsonl") {
		got, failure := judgeAsReference(v.Response, problem{v.Target, v.Nums})
		score := got.score(publishedFormatScore)
		switch {
		case v.Expected == nil && failure == nil:
			t.Errorf("record %d: %v gives %v, want a failure for %s", i+1, v.Response, failure, v.Error)
		case v.Expected != nil && (failure != nil || score != *v.Expected || got.correct() != v.Success):
			t.Errorf("record %d: %q scores %v, %v; want %v", i+1, v.Response, score, failure, *v.Expected)
		}
	}
}

type deviation struct {
	name  string
	looks *regexp.Regexp
	comes string // a score, or "failure"
}

// deviations are the reasons why corrected differs from the original, as listed in README.md, matched by
// the content of the box. The first match must explain a vector.
var deviations = []deviation{
	{"a task without numbers", regexp.MustCompile(`^1\+2 of \[\]$`), "failure"},
	{"numbers that are texts", regexp.MustCompile(`^1\+2 of \[1 2\]$`), "1"},
	{"an equation", regexp.MustCompile(`=9 of`), "1"},
	{"other signs for times", regexp.MustCompile(`[×x]`), "1"},
	{"digits beyond ASCII", regexp.MustCompile(`[１١]`), "1"},
	{"a result near the target", regexp.MustCompile(`^2/3 of \[2 3\]`), "0.1"},
	{"** and //", regexp.MustCompile(`\*\*|//`), "0"},
	{"a sign before a number", regexp.MustCompile(`^-1`), "0"},
	{"decimals", regexp.MustCompile(`\d\.0`), "0"},
	{"an invalid expression", regexp.MustCompile(
		`^(|\(\)|\(1\+2\)\*|1 2 3|\(1,2,3\)|1\+2\)\*3|\[1\+2\]\*3|1_0\+2|1e0.*|abc|.*;) of`,
	), "0"},
}

func TestCorrectedDeviatesAsListed(t *testing.T) {
	hits, agree := make([]int, len(deviations)), 0
	for i, v := range vectors.Read[vector](t, "countdown_vectors.jsonl") {
		text, isText := v.Response.(string)
		if !isText {
			continue // every answer of an episode is a string
		}
		got, failure := judge(answertext.Boxed, text, problem{v.Target, v.Nums})
		comes := fmt.Sprint(got.score(publishedFormatScore))
		if failure != nil {
			comes = "failure"
		}
		if comes == fmt.Sprint(*v.Expected) {
			agree++
			continue
		}
		box, _ := answertext.LastBox(text)
		look := fmt.Sprintf("%s of %v", box, v.Nums)
		reason := slices.IndexFunc(deviations, func(d deviation) bool { return d.looks.MatchString(look) })
		if reason < 0 || deviations[reason].comes != comes {
			t.Errorf("record %d: %q comes to %s, %v; want %v", i+1, look, comes, failure, *v.Expected)
			continue
		}
		hits[reason]++
	}
	for i, d := range deviations {
		if hits[i] == 0 {
			t.Errorf("no vector deviates for %s", d.name)
		}
		t.Logf("%3d deviate for %s", hits[i], d.name)
	}
	t.Logf("%3d agree with the original", agree)
}
