package ui

import (
	"net/http"
	"slices"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/sdk"
)

// episodeLine is an episode in a list.
type episodeLine struct {
	ID        string            `json:"id"`
	Step      int               `json:"step"` // step that it was drawn for
	Split     sdk.Split         `json:"split"`
	Group     string            `json:"group"`
	Sample    int               `json:"sample"`
	Task      string            `json:"task"`
	Outcome   sdk.Outcome       `json:"outcome"`
	Class     sdk.FailureClass  `json:"class,omitempty"`
	Reward    *float64          `json:"reward"` // null if it has no reward
	Success   *bool             `json:"success"`
	Turns     int               `json:"turns"`
	Tokens    int               `json:"tokens"`  // sampled tokens
	Seconds   float64           `json:"seconds"` // without the time waiting for a slot or for siblings
	Attempt   int               `json:"attempt"`
	Malformed int               `json:"malformed,omitempty"` // calls of the policy that could not be parsed
	Answer    string            `json:"answer"`              // first 200 characters
	Standing  runstore.Standing `json:"standing"`
}

func episodeLineOf(x *index.Index, f index.Fact) (episodeLine, error) {
	line := episodeLine{
		ID: f.ID, Step: f.Step, Split: f.Split, Group: f.Group, Sample: f.Sample, Task: f.Task, Outcome: f.Outcome,
		Class: f.Class, Reward: finite(f.Reward), Success: f.Success, Turns: f.Turns, Tokens: f.Tokens, Seconds: f.Seconds,
		Attempt: f.Attempt, Malformed: f.Malformed, Standing: f.Standing,
	}
	var err error
	line.Answer, err = x.Answer(f)
	return line, err
}

// finite returns nil for a number that JSON cannot represent.
func finite(n *float64) *float64 {
	if n != nil && *n-*n != 0 {
		return nil
	}
	return n
}

// The default and maximum number of entries on a page of a list.
const (
	defaultPage = 100
	maxPage     = 1000
	maxQuery    = 1000 // maximum number of bytes of a search text
)

// episodeList is one page of a list.
type episodeList struct {
	Episodes []episodeLine `json:"episodes"`
	Next     string        `json:"next,omitempty"`
	Total    int           `json:"total"`
	// Cut counts the episodes in which only the first 64 KiB of text were searched.
	Cut int `json:"cut,omitempty"`
}

// episodes returns a page of the matching episodes.
func (s *Server) episodes(r *http.Request) (any, error) {
	x, p, done, err := s.opened(r, "step", "split", "stage", "group", "task", "outcome", "class", "member", "standing",
		"reward_min", "reward_max", "turns_min", "turns_max", "malformed_min", "q", "sort", "limit", "cursor")
	if err != nil {
		return nil, err
	}
	defer done()
	q := index.Query{
		Step: p.whole("step"), Split: p.oneOf("split", string(sdk.SplitTrain), string(sdk.SplitValidation)),
		Stage: p.text("stage"), Group: p.text("group"), Task: p.text("task"), Outcome: p.text("outcome"),
		Class: p.text("class"), Member: p.text("member"),
		Standing: p.oneOf("standing", "any", string(runstore.Counted), string(runstore.Superseded), string(runstore.Open),
			string(runstore.Unused)),
		RewardMin: p.number("reward_min"), RewardMax: p.number("reward_max"), TurnsMin: p.whole("turns_min"),
		TurnsMax: p.whole("turns_max"), MalformedMin: p.whole("malformed_min"), Text: p.text("q"),
		Sort: p.oneOf("sort", index.Sorts()...), Limit: p.limit(defaultPage, maxPage), Cursor: p.text("cursor"),
	}
	if len(q.Text) > maxQuery {
		p.fail("q is %d bytes long; the limit is %d", len(q.Text), maxQuery)
	}
	if p.err != nil {
		return nil, p.err
	}
	page, err := x.Find(r.Context(), q)
	if err != nil {
		return nil, err
	}
	answer := episodeList{[]episodeLine{}, page.Next, page.Total, page.Cut}
	for _, f := range page.Facts {
		line, err := episodeLineOf(x, f)
		if err != nil {
			return nil, err
		}
		answer.Episodes = append(answer.Episodes, line)
	}
	return answer, nil
}

// validated is a task with its episodes from the validations.
type validated struct {
	Task     string        `json:"task"`
	Episodes []episodeLine `json:"episodes"`
}

// validations returns the episodes of the same tasks at each validation, one page of tasks at a time.
func (s *Server) validations(r *http.Request) (any, error) {
	x, p, done, err := s.opened(r, "limit", "cursor")
	if err != nil {
		return nil, err
	}
	defer done()
	limit, cursor := p.limit(50, 500), p.text("cursor")
	if p.err != nil {
		return nil, p.err
	}
	byTask, steps := map[string][]index.Fact{}, map[int]bool{}
	var tasks []string
	for f := range x.All() {
		if f.Split != sdk.SplitValidation || f.Standing == runstore.Superseded {
			continue
		}
		if byTask[f.Task] == nil {
			tasks = append(tasks, f.Task)
		}
		byTask[f.Task] = append(byTask[f.Task], f)
		steps[f.Step] = true
	}
	slices.Sort(tasks)
	answer := struct {
		Steps []int       `json:"steps"`
		Tasks []validated `json:"tasks"`
		Next  string      `json:"next,omitempty"` // cursor of the next page: the last task of this one
		Total int         `json:"total"`
	}{Steps: sortedSteps(steps), Tasks: []validated{}, Total: len(tasks)}
	if cursor != "" {
		at, found := slices.BinarySearch(tasks, cursor)
		if found {
			at++
		}
		tasks = tasks[at:]
	}
	if len(tasks) > limit {
		tasks = tasks[:limit]
		answer.Next = tasks[limit-1]
	}
	for _, task := range tasks {
		line := validated{Task: task}
		slices.SortStableFunc(byTask[task], byStep)
		for _, f := range byTask[task] {
			e, err := episodeLineOf(x, f)
			if err != nil {
				return nil, err
			}
			line.Episodes = append(line.Episodes, e)
		}
		answer.Tasks = append(answer.Tasks, line)
	}
	return answer, nil
}

func sortedSteps(steps map[int]bool) []int {
	out := []int{}
	for step := range steps {
		out = append(out, step)
	}
	slices.Sort(out)
	return out
}
