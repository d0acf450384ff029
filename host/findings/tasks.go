package findings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The rules about the tasks of a run. Their evidence comes by ReportTasks.
const (
	UnsolvedTasks = "unsolved_tasks"
	SolvedTasks   = "solved_tasks"
)

// Thresholds of the rules about the tasks of a run.
const (
	leastTries    = 16 // judged episodes of a task
	leastTasks    = 8  // with that many
	unsolvedShare = 0.25
	solvedShare   = 0.5
	sameAnswer    = 0.75    // of the wrong answers to a task
	mostTasks     = 100_000 // that are counted, to limit memory
)

var taskRules = []Rule{
	{
		ID: UnsolvedTasks, Severity: doubt, Title: "Many tasks are never solved",
		Causes: []string{"the ground truths are wrong, or the reward does not accept their form",
			"the tasks are too hard for the policy", "a tool that they need fails"},
		Remedy: "Compare answers with ground truths on the page Tasks of awhost ui, and repair or remove such tasks",
	},
	{
		ID: SolvedTasks, Severity: doubt, Title: "Most tasks are always solved",
		Causes: []string{"the tasks are too easy for the policy", "the reward accepts every answer"},
		Remedy: "Use harder tasks: the samples of such a task have equal rewards",
	},
}

// Tasks counts the training episodes of each task since the start of the process.
type Tasks struct {
	first int // step
	tries map[string]tries
}

// tries sums up the judged episodes of a task.
type tries struct {
	judged, solved int32
	same           int32  // lead of the most frequent wrong answer, by majority vote
	wrong          uint64 // hash of that answer
}

// Add adds the episodes of a step.
func (t *Tasks) Add(step int, episodes []Episode) {
	if t.tries == nil {
		t.first, t.tries = step, map[string]tries{}
	}
	for i := range episodes {
		e := &episodes[i]
		if e.Success == nil {
			continue
		}
		task, known := t.tries[e.Task]
		if !known && len(t.tries) == mostTasks {
			continue
		}
		task.judged++
		switch {
		case *e.Success:
			task.solved++
		case e.Answer == task.wrong:
			task.same++
		case task.same > 0:
			task.same--
		default:
			task.wrong, task.same = e.Answer, 1
		}
		t.tries[e.Task] = task
	}
}

// ReportTasks evaluates the rules about tasks at the end of a run.
func (e *Engine) ReportTasks(step Step, t *Tasks) (out []Finding) {
	var never, always, same []string
	often := 0
	for _, id := range slices.Sorted(maps.Keys(t.tries)) {
		task := t.tries[id]
		if task.judged < leastTries {
			continue
		}
		often++
		switch task.solved {
		case task.judged:
			always = append(always, id)
		case 0:
			never = append(never, id)
			// The answer that leads by more than half of the tries has been given in three quarters of them.
			if task.wrong != 0 && float64(task.same) > (2*sameAnswer-1)*float64(task.judged) {
				same = append(same, id)
			}
		}
	}
	if often < leastTasks {
		return nil
	}
	counted := fmt.Sprintf("of the %d tasks with at least %d judged episodes since step %d", often, leastTries, t.first)
	if ratio(len(never), often) >= unsolvedShare {
		summary := fmt.Sprintf("%s, %d were never solved: %s", counted, len(never), some(never))
		if len(same) > 0 {
			summary += fmt.Sprintf("; %d of these got the same wrong answer in most episodes: %s", len(same), some(same))
		}
		out = append(out, e.Report(UnsolvedTasks, step, summary))
	}
	if ratio(len(always), often) >= solvedShare {
		out = append(out, e.Report(SolvedTasks, step, fmt.Sprintf("%s, %d were always solved", counted, len(always))))
	}
	return out
}

// some returns the first few of a list, as text.
func some(ids []string) string {
	const few = 3
	if len(ids) > few {
		return strings.Join(ids[:few], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}
