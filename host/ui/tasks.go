package ui

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/sdk"
)

// taskLine sums up the episodes of a task.
type taskLine struct {
	Task    string   `json:"task"`
	Tries   int      `json:"tries"`
	Judged  int      `json:"judged"` // episodes with known success
	Solved  int      `json:"solved"`
	Success *float64 `json:"success"` // fraction of the judged episodes
	Reward  *float64 `json:"reward"`  // mean over the episodes with a reward
	Seconds float64  `json:"seconds"` // mean
	// SameWrong is the number of unsolved episodes with the most frequent answer.
	SameWrong int `json:"same_wrong"`
	// Answers holds the last distinct answers, the newest first, each shortened to 200 characters.
	Answers []string `json:"answers"`

	number            int64
	rewards, rewarded float64
	last              []taskAnswer // the last distinct answers, the oldest first
}

// taskAnswer refers to an answer.
type taskAnswer struct {
	episode string
	sum     uint32
}

// lastAnswers is the number of distinct answers that are shown of a task.
const lastAnswers = 3

// taskTally sums up episodes by task.
type taskTally struct {
	tasks map[string]*taskLine
	wrong map[int64]int // episodes by number of the task and checksum of the wrong answer
}

func (t *taskTally) add(f index.Fact) {
	line := t.tasks[f.Task]
	if line == nil {
		line = &taskLine{Task: f.Task, number: int64(len(t.tasks))}
		t.tasks[f.Task] = line
	}
	line.Tries++
	line.Seconds += f.Seconds
	if r := finite(f.Reward); r != nil {
		line.rewards, line.rewarded = line.rewards+*r, line.rewarded+1
	}
	if f.Success != nil {
		line.Judged++
		if *f.Success {
			line.Solved++
		}
	}
	if f.AnswerSum == 0 {
		return
	}
	if f.Success != nil && !*f.Success {
		answer := line.number<<32 | int64(f.AnswerSum)
		t.wrong[answer]++
		line.SameWrong = max(line.SameWrong, t.wrong[answer])
	}
	same := func(a taskAnswer) bool { return a.sum == f.AnswerSum }
	line.last = append(slices.DeleteFunc(line.last, same), taskAnswer{f.ID, f.AnswerSum})
	line.last = line.last[max(0, len(line.last)-lastAnswers):]
}

// finish computes means and reports whether a task passes a filter.
func (l *taskLine) finish(filter string, sameWrong int) bool {
	l.Seconds /= float64(l.Tries)
	if l.rewarded > 0 {
		mean := l.rewards / l.rewarded
		l.Reward = finite(&mean)
	}
	if l.Judged > 0 {
		rate := float64(l.Solved) / float64(l.Judged)
		l.Success = &rate
	}
	never, always := l.Judged > 0 && l.Solved == 0, l.Judged > 0 && l.Solved == l.Judged
	return (filter != filterNever || never) && (filter != filterAlways || always) && l.SameWrong >= sameWrong
}

// The filters of tasks.
const (
	filterNever  = "never"
	filterAlways = "always"
)

// The orders of tasks. Each can be reversed by a minus sign. Tasks without the number come last.
var taskOrders = map[string]func(*taskLine) *float64{
	"tries":   func(l *taskLine) *float64 { return whole(l.Tries) },
	"solved":  func(l *taskLine) *float64 { return whole(l.Solved) },
	"success": func(l *taskLine) *float64 { return l.Success },
	"reward":  func(l *taskLine) *float64 { return l.Reward },
	"seconds": func(l *taskLine) *float64 { return &l.Seconds },
	"same":    func(l *taskLine) *float64 { return whole(l.SameWrong) },
}

func whole(n int) *float64 {
	x := float64(n)
	return &x
}

// tasks returns a page of the tasks with sums over their episodes.
func (s *Server) tasks(r *http.Request) (any, error) {
	x, p, done, err := s.opened(r, "split", "solved", "same_min", "sort", "limit", "cursor")
	if err != nil {
		return nil, err
	}
	defer done()
	split := p.oneOf("split", string(sdk.SplitTrain), string(sdk.SplitValidation))
	solved, same := p.oneOf("solved", filterNever, filterAlways), p.whole("same_min")
	sort, reverse := strings.CutPrefix(cmp.Or(p.text("sort"), "task"), "-")
	if sort != "task" && taskOrders[sort] == nil {
		p.fail("sort %s: want task, tries, solved, success, reward, seconds, or same, or one of them after a minus sign",
			shortened(sort))
	}
	limit, cursor := p.limit(defaultPage, maxPage), p.whole("cursor")
	if p.err != nil {
		return nil, p.err
	}
	tally := taskTally{map[string]*taskLine{}, map[int64]int{}}
	for f := range x.All() {
		counts := f.Standing != runstore.Superseded && f.Outcome != sdk.OutcomeCancelled
		if counts && (split == "" || string(f.Split) == split) {
			tally.add(f)
		}
	}
	answer := struct {
		Tasks []*taskLine `json:"tasks"`
		Next  string      `json:"next,omitempty"`
		Total int         `json:"total"` // on all pages
		All   int         `json:"all"`   // without filters
	}{Tasks: []*taskLine{}, All: len(tally.tasks)}
	for _, line := range tally.tasks {
		if line.finish(solved, valueOr(same, 0)) {
			answer.Tasks = append(answer.Tasks, line)
		}
	}
	sortTasks(answer.Tasks, sort, reverse)
	answer.Total = len(answer.Tasks)
	from := min(valueOr(cursor, 0), answer.Total)
	if end := from + limit; end < answer.Total {
		answer.Next = strconv.Itoa(end)
	}
	answer.Tasks = answer.Tasks[from:min(from+limit, answer.Total)]
	for _, line := range answer.Tasks {
		line.Answers = []string{}
		for _, a := range slices.Backward(line.last) {
			f, ok := x.Fact(a.episode)
			if !ok {
				return nil, index.ErrDamaged // the index has been rebuilt meanwhile
			}
			text, err := x.Answer(f)
			if err != nil {
				return nil, err
			}
			line.Answers = append(line.Answers, text)
		}
	}
	return answer, nil
}

func valueOr(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

func sortTasks(list []*taskLine, by string, reverse bool) {
	sign := 1
	if reverse {
		sign = -1
	}
	of := taskOrders[by]
	slices.SortFunc(list, func(a, b *taskLine) int {
		if of == nil {
			return sign * cmp.Compare(a.Task, b.Task)
		}
		x, y := of(a), of(b)
		switch {
		case x != nil && y != nil:
			return cmp.Or(sign*cmp.Compare(*x, *y), cmp.Compare(a.Task, b.Task))
		case x == nil && y == nil:
			return cmp.Compare(a.Task, b.Task)
		case x == nil:
			return 1
		}
		return -1
	})
}
