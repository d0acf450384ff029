package ui

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

type taskList struct {
	Tasks      []taskLine
	Next       string
	Total, All int
}

func TestTasksSumUpTheJournal(t *testing.T) {
	s := newSite(t)
	var list taskList
	s.get("/api/runs/recorded-1/tasks?split=train&sort=-tries", &list)
	if list.Total != 3 || list.All != 3 || len(list.Tasks) != 3 || list.Next != "" {
		t.Fatalf("%+v", list)
	}
	for _, line := range list.Tasks {
		want := taskLine{Task: line.Task}
		rewards, rewarded := 0.0, 0.0
		var answers []string
		for _, e := range s.recorded() {
			if e.TaskID != line.Task || e.Slot.Split != sdk.SplitTrain {
				continue
			}
			want.Tries++
			if e.Reward != nil {
				rewards, rewarded = rewards+*e.Reward, rewarded+1
			}
			if e.IsSuccess != nil {
				want.Judged++
				if *e.IsSuccess {
					want.Solved++
				}
			}
			if e.FinalAnswer != "" {
				answers = append(answers, e.FinalAnswer)
			}
		}
		slices.Reverse(answers)
		if line.Tries != want.Tries || line.Judged != want.Judged || line.Solved != want.Solved ||
			*line.Reward != rewards/rewarded || line.SameWrong != 1 || !slices.Equal(line.Answers, answers[:3]) ||
			line.Seconds <= 0 {
			t.Errorf("%+v, answers of the journal %q", line, answers)
		}
	}
	var page taskList
	s.get("/api/runs/recorded-1/tasks?split=train&limit=2", &page)
	if page.Next != "2" || len(page.Tasks) != 2 || page.Tasks[0].Task != "task-000" {
		t.Errorf("first page %+v", page)
	}
	s.get("/api/runs/recorded-1/tasks?split=train&limit=2&cursor=2", &page)
	if len(page.Tasks) != 1 || page.Tasks[0].Task != "task-002" {
		t.Errorf("second page %+v", page)
	}
	for _, query := range []string{"sort=color", "solved=sometimes", "same_min=-1", "limit=0"} {
		if response, text := s.ask("/api/runs/recorded-1/tasks?"+query, nil); response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s %s", query, response.Status, text)
		}
	}
}

func TestTasksAreFilteredAndSorted(t *testing.T) {
	yes, no, reward := true, false, 0.5
	tally := taskTally{map[string]*taskLine{}, map[int64]int{}}
	add := func(task string, success *bool, answer uint32) {
		tally.add(index.Fact{Task: task, Success: success, Reward: &reward, AnswerSum: answer, Seconds: 2})
	}
	add("always", &yes, 7)
	add("never", &no, 7)
	add("never", &no, 8)
	add("never", &no, 7)
	add("mixed", &no, 7)
	add("mixed", &yes, 8)
	add("unknown", nil, 7)
	names := func(filter string, same int, by string, reverse bool) string {
		var found []*taskLine
		for _, line := range tally.tasks {
			if copied := *line; copied.finish(filter, same) {
				found = append(found, &copied)
			}
		}
		sortTasks(found, by, reverse)
		var out []string
		for _, line := range found {
			out = append(out, line.Task)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ want, got string }{
		{"always mixed never unknown", names("", 0, "task", false)},
		{"never", names(filterNever, 0, "task", false)},
		{"always", names(filterAlways, 0, "task", false)},
		{"never", names("", 2, "task", false)},
		{"never mixed always unknown", names("", 0, "success", false)},
		{"always mixed never unknown", names("", 0, "success", true)},
		{"never mixed always unknown", names("", 0, "tries", true)},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestRunCountsTheCallsOfTools(t *testing.T) {
	s := newSite(t)
	m := runstore.MetricRecord{LaunchID: "launch-1-0", Stage: "main", Step: 4, Values: runstore.Numbers{
		metric.Tools + "add/calls": 9, metric.Tools + "add/errors": 2, metric.Tools + "a/errors/calls": 3,
		metric.Tools + "a/calls/errors": 1, metric.ToolTiming + "add_seconds": 4.5,
	}}
	check(t, s.writer.Writer.AppendMetrics(t.Context(), m))
	var page runPage
	s.get("/api/runs/recorded-1", &page)
	got, err := json.Marshal(page.Tools)
	check(t, err)
	want := `[{"name":"a/calls","calls":0,"errors":1},` +
		`{"name":"a/errors","calls":3,"errors":0},{"name":"add","calls":9,"errors":2,"seconds":4.5}]`
	malformed := 0
	for _, e := range s.recorded() {
		if e.Slot.Split == sdk.SplitTrain {
			malformed += e.Malformed
		}
	}
	if string(got) != want || page.Malformed != malformed || malformed == 0 {
		t.Errorf("%s, want %s; malformed %d, want %d", got, want, page.Malformed, malformed)
	}
}
