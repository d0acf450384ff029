// Package quickstart generates the datasets of the quick start: for data/, and for `awhost new spec`.
package quickstart

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
)

// The numbers of rows in each file.
const (
	trainRows = 700
	testRows  = 200
	demoRows  = 1000
)

// randomToolPercent is the percentage of cases in which the demonstrator picks a random tool, which may be the right
// one.
const randomToolPercent = 80

// Files returns the JSON Lines files by name, always with the same bytes:
//
//	arithmetic.train.jsonl   training problems
//	arithmetic.test.jsonl    held-out problems: no pair of operands occurs in the other files
//	arithmetic.demos.jsonl   demonstrations: how to call a tool and report its result, but mostly not which tool
//
// The demonstrator picks the tool at random in 80 % of the cases, so that 40 % of the demonstrations use the right
// tool. Imitation alone cannot exceed that. A policy can improve further only through the reward.
func Files() map[string][]byte {
	seen := arithmetic.Problems(arithmetic.Operations(), false, 1)
	held := arithmetic.Problems(arithmetic.Operations(), true, 2)
	return map[string][]byte{
		"arithmetic.train.jsonl": rows(seen[:trainRows], task),
		"arithmetic.test.jsonl":  rows(held[:testRows], task),
		"arithmetic.demos.jsonl": rows(seen[trainRows:trainRows+demoRows], demonstrator(rand.NewPCG(3, 0))),
	}
}

func rows(problems []arithmetic.Problem, line func(arithmetic.Problem) string) []byte {
	var lines strings.Builder
	for _, p := range problems {
		lines.WriteString(line(p) + "\n")
	}
	return []byte(lines.String())
}

// task returns a problem with its answer as JSON. No part of it needs escaping.
func task(p arithmetic.Problem) string {
	return fmt.Sprintf(`{"id":%q,"prompt":%q,"ground_truth":"%d"}`, p.ID(), p.Question(), result(p))
}

// demonstrator returns a function that writes conversations: question, call, result, answer. The rows have no ID,
// because it is derived from their content, and the file stays small.
func demonstrator(random *rand.PCG) func(arithmetic.Problem) string {
	return func(p arithmetic.Problem) string {
		call := p
		if arithmetic.Below(random, 100) < randomToolPercent {
			all := arithmetic.Operations()
			call.Operation = all[arithmetic.Below(random, uint64(len(all)))]
		}
		arguments := strconv.Quote(fmt.Sprintf(`{"a":%d,"b":%d}`, call.A, call.B))
		return fmt.Sprintf(`{"messages":[{"role":"user","content":%q},`+
			`{"role":"assistant","tool_calls":[{"id":"1","name":%q,"arguments":%s}]},`+
			`{"role":"tool","tool_call_id":"1","content":"%d"},`+
			`{"role":"assistant","content":"<answer>%d</answer>"}]}`,
			p.Question(), call.Operation.Name(), arguments, result(call), result(call))
	}
}

// result returns the answer to a problem that has one: b is never 0 here.
func result(p arithmetic.Problem) int64 {
	answer, err := p.Answer()
	if err != nil {
		panic(fmt.Sprintf("quickstart: %s: %v", p.Question(), err))
	}
	return answer
}
