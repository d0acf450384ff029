package plan_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
)

// A public field that reveals the ground truth is an error at its dataset; a weaker match is a warning.
func TestMake_GroundTruthInAPublicField(t *testing.T) {
	for name, test := range map[string]struct {
		row      string
		severity diag.Severity
		want     string
	}{
		"another column": {
			`{"prompt":"1 + 2","ground_truth":"3","gold":{"text":["3.0"]}}`, diag.Error,
			"gold.text repeats the ground truth in 1 of 1 compared tasks",
		},
		"a worked solution": {
			`{"prompt":"q","ground_truth":"1000","work":"999+1\n#### 1,000"}`, diag.Error, `private = ["work"]`,
		},
		"a worked solution that ends in a box, and accepted answers": {
			`{"prompt":"q","ground_truth":{"target":["1/2","0.5"]},"work":"so $\\boxed{0.50}$."}`, diag.Error,
			"work repeats",
		},
		"all of a list": {
			`{"prompt":"q","ground_truth":["Rome","Roma"],"golden_answers":["roma","Rome"]}`, diag.Error,
			"golden_answers repeats",
		},
		"a context": {
			`{"prompt":"who","ground_truth":"Ada King","context":"It was Ada  King, in 1843."}`, diag.Warning,
			"context mentions",
		},
		"the end of a conversation": {
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"\\boxed{7}"}],"ground_truth":"7"}`,
			diag.Warning, "map = { prompt",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t)
			s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(test.row + "\n")}})
			_, problems := s.make(t)
			for _, problem := range problems {
				if problem.Summary == "Ground truth in a public field" || problem.Summary == "Prompts that end with a solution" {
					if problem.Severity != test.severity || problem.Range == nil ||
						!strings.Contains(problem.Detail, test.want) {
						t.Errorf("%+v", problem)
					}
					return
				}
			}
			t.Errorf("it is not reported, but %v", problems)
		})
	}
}

// Choices, the numbers of a puzzle and a field that is equal in some rows do not reveal an answer.
func TestMake_PublicFieldsThatShareValuesWithTheGroundTruth(t *testing.T) {
	s := newSetting(t)
	s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(
		`{"id":"a","prompt":"3","ground_truth":"3","choices":["2","3"],"level":3}` + "\n" +
			`{"id":"b","prompt":"24","ground_truth":{"target":24,"nums":[4,6]},"nums":[4,6],"level":2}` + "\n" +
			`{"id":"c","prompt":"q","ground_truth":"?","level":3,"note":"?!"}` + "\n")}})
	if _, problems := s.make(t); len(problems) > 0 {
		t.Error(problems)
	}
}

// verl's layout without a map is an error, although its private columns contain an answer.
func TestMake_VerlLayoutWithoutAMap(t *testing.T) {
	s := newSetting(t)
	s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(
		`{"prompt":"1 + 2","reward_model":{"ground_truth":"3"},"extra_info":{"answer":"3"}}` + "\n")}})
	_, problems := s.make(t)
	if !problems.HasErrors() || !strings.Contains(problems.Error(), `ground_truth = "reward_model.ground_truth"`) {
		t.Error(problems)
	}
}
