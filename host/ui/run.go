package ui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui/internal/index"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// runPage holds all data about a run except its episodes.
type runPage struct {
	runLine
	Stages      []stageLine      `json:"stages"`
	Checkpoints []checkpointLine `json:"checkpoints"`
	Marks       []mark           `json:"marks"`
	Plugins     []pluginLine     `json:"plugins"`
	Metrics     []string         `json:"metrics"`
	About       []metricLine     `json:"about"` // metrics that awhost itself defines
	Failures    map[string]int   `json:"failures"`
	Outcomes    map[string]int   `json:"outcomes"`
	Episodes    int              `json:"episodes"` // without episodes of interrupted steps
	Warnings    []string         `json:"warnings"`
	Digest      string           `json:"digest,omitempty"`
	GPUs        []gpuLine        `json:"gpus,omitempty"` // of this machine, if the run is running here
	Findings    []event.Finding  `json:"findings"`       // the severest first
	NotChecked  []uncheckedRule  `json:"not_checked"`    // empty before the first step
	Tools       []toolLine       `json:"tools"`          // by name
	Malformed   int              `json:"malformed"`      // calls of training episodes that could not be parsed
}

// metricLine describes a metric, as docs/reference/metrics.md does.
type metricLine struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Unit    string `json:"unit,omitempty"`
	Meaning string `json:"meaning"`
}

// toolLine sums up the calls of a tool in training episodes.
type toolLine struct {
	Name    string  `json:"name"`
	Calls   int     `json:"calls"`
	Errors  int     `json:"errors"` // calls that the tool answered with an error
	Seconds float64 `json:"seconds,omitempty"`
}

// uncheckedRule is a rule of findings for which the last stage lacks metrics.
type uncheckedRule struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Needs []string `json:"needs,omitempty"`
	Any   []string `json:"any,omitempty"` // metrics of which it needs one
}

type stageLine struct {
	Name      string `json:"name"`
	FirstStep int    `json:"first_step"`
	LastStep  int    `json:"last_step"`
}

type checkpointLine struct {
	Step int    `json:"step"`
	Best bool   `json:"best"`
	Path string `json:"path"`
}

// mark is a run event that is shown on the run's curves.
type mark struct {
	Step int       `json:"step"` // last finished step
	Time time.Time `json:"time"`
	Kind string    `json:"kind"` // start, resume, kill, end, take_up, stage, plugin_restart
	Text string    `json:"text"`
}

type pluginLine struct {
	Address   string `json:"address"`
	Name      string `json:"name"`
	Version   string `json:"version"`
	Restarts  int    `json:"restarts"` // over all incarnations
	LastWords string `json:"last_words,omitempty"`
	// The operating system's data about its process and descendants, if the run is running on this machine.
	PID        int       `json:"pid,omitempty"`
	Started    time.Time `json:"started,omitzero"`
	RSSBytes   int64     `json:"rss_bytes,omitempty"`
	CPUSeconds float64   `json:"cpu_seconds,omitempty"`
	CPUPercent *float64  `json:"cpu_percent,omitempty"` // of one CPU, since the last measurement
}

// opened returns the index of the requested run.
func (s *Server) opened(r *http.Request, known ...string) (*index.Index, *params, func(), error) {
	b, p, done, err := s.entry(r, known...)
	if err != nil {
		return nil, nil, nil, err
	}
	return b.index, p, done, nil
}

// entry returns the cache entry of the requested run, for callers that need more than its index.
func (s *Server) entry(r *http.Request, known ...string) (*entry, *params, func(), error) {
	p := paramsOf(r, known...)
	if p.err != nil {
		return nil, nil, nil, p.err
	}
	b, done, err := s.indexes.open(r)
	if err != nil {
		return nil, nil, nil, err
	}
	return b, p, done, nil
}

func (s *Server) run(r *http.Request) (any, error) {
	b, _, done, err := s.entry(r)
	if err != nil {
		return nil, err
	}
	defer done()
	summary, err := b.summary(r.Context())
	if err != nil {
		return nil, err
	}
	x, run := b.index, b.index.Run()
	page := runPage{runLine: lineOf(summary), Plugins: pluginsOf(run.Info), Marks: []mark{}, Warnings: []string{}}
	s.sizes.fill(&page.runLine, run, page.describe(run))
	if summary.Finish != nil {
		page.Digest = summary.Finish.Digest
	}
	if err := page.addRecords(run); err != nil {
		return nil, err
	}
	if page.Checkpoints, err = checkpointsOf(r.Context(), run); err != nil {
		return nil, err
	}
	page.count(x)
	s.health.add(r.Context(), &page, run)
	err = page.addFindings(run)
	return page, err
}

func pluginsOf(info runstore.Info) []pluginLine {
	out := []pluginLine{}
	for _, p := range info.Plugins {
		out = append(out, pluginLine{Address: p.Address, Name: p.Plugin, Version: p.Version})
	}
	return out
}

func checkpointsOf(ctx context.Context, run *runstore.Run) ([]checkpointLine, error) {
	kept, err := run.Kept(ctx, false)
	out := []checkpointLine{}
	for _, k := range kept {
		out = append(out, checkpointLine{k.Step, k.Best, k.Path})
	}
	return out, err
}

// count counts the episodes, as `show` does.
func (page *runPage) count(x *index.Index) {
	page.Failures, page.Outcomes = map[string]int{}, map[string]int{}
	for f := range x.All() {
		if f.Standing == runstore.Superseded {
			continue
		}
		page.Episodes++
		page.Outcomes[string(f.Outcome)]++
		if f.Split == sdk.SplitTrain {
			page.Malformed += f.Malformed
		}
		if f.Class != "" && f.Outcome != sdk.OutcomeCancelled {
			page.Failures[string(f.Class)]++
		}
	}
}

// addFindings adds the findings, the rules that were not checked, the tools, and what the metrics are.
func (page *runPage) addFindings(run *runstore.Run) error {
	all, tools := map[string]bool{}, map[string]*toolLine{}
	var reported findings.Reported
	for row, err := range run.Metrics() {
		if err != nil {
			return err
		}
		reported.Add(row.Stage, row.Values)
		for name, value := range row.Values {
			all[name] = true
			if value-value == 0 {
				countTool(tools, name, value)
			}
		}
	}
	page.Metrics = slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(all))))
	page.About = []metricLine{}
	for _, m := range metric.All() {
		if all[m.Name] {
			page.About = append(page.About, metricLine{m.Name, m.Label, m.Unit, m.Meaning})
		}
	}
	page.NotChecked = []uncheckedRule{}
	for _, rule := range reported.NotChecked() {
		page.NotChecked = append(page.NotChecked, uncheckedRule{rule.ID, rule.Title, rule.Needs, rule.Any})
	}
	page.Tools = []toolLine{}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		page.Tools = append(page.Tools, *tools[name])
	}
	found, err := run.Findings(math.MaxInt)
	event.SortFindings(found)
	page.Findings = append([]event.Finding{}, found...)
	return err
}

// countTool adds a step's metric to the tool that it is about, if any.
func countTool(tools map[string]*toolLine, name string, value float64) {
	for _, about := range []struct {
		prefix, suffix string
		add            func(*toolLine)
	}{
		{metric.Tools, metric.ToolCalls, func(l *toolLine) { l.Calls += int(value) }},
		{metric.Tools, metric.ToolErrors, func(l *toolLine) { l.Errors += int(value) }},
		{metric.ToolTiming, metric.TimingSum, func(l *toolLine) { l.Seconds += value }},
	} {
		rest, starts := strings.CutPrefix(name, about.prefix)
		tool, ends := strings.CutSuffix(rest, about.suffix)
		if !starts || !ends {
			continue
		}
		if tools[tool] == nil {
			tools[tool] = &toolLine{Name: tool}
		}
		about.add(tools[tool])
	}
}

// maxWarnings is the maximum number of recent warnings that are shown.
const maxWarnings = 200

// runState is the state of a run during the reading of its records.
type runState struct {
	page  *runPage
	step  int
	ended bool // ended in order
	stage map[string]int
}

// addRecords adds marks, stages, restarts and warnings from the records.
func (page *runPage) addRecords(run *runstore.Run) error {
	l := runState{page: page, ended: true, stage: map[string]int{}}
	types := []runstore.Type{
		runstore.TypeIncarnation, runstore.TypeLaunch, runstore.TypeStep, runstore.TypeEvent, runstore.TypeFinish,
	}
	for record, err := range run.Records(journal.Position{}, types...) {
		if err == nil {
			err = l.take(record)
		}
		if err != nil {
			return err
		}
	}
	if page.Status == runstore.StatusInterrupted {
		l.addMark(page.Ended, "kill", "the host exited without a final record")
	}
	page.Warnings = page.Warnings[max(0, len(page.Warnings)-maxWarnings):]
	return nil
}

func (l *runState) addMark(at time.Time, kind, text string) {
	l.page.Marks = append(l.page.Marks, mark{l.step, at, kind, text})
}

func (l *runState) take(record runstore.Record) error {
	switch record.Type {
	case runstore.TypeIncarnation:
		if !l.ended {
			l.addMark(record.At, "kill", "the previous host exited without a final record")
		}
		kind := "resume"
		if record.Incarnation == 1 {
			kind = "start"
		}
		l.addMark(record.At, kind, fmt.Sprintf("start %d", record.Incarnation))
		l.ended = false
	case runstore.TypeFinish:
		l.ended = true
		finish, err := runstore.Decode[runstore.FinishRecord](record)
		text := string(finish.Outcome)
		if finish.Reason != "" {
			text += ": " + finish.Reason
		}
		l.addMark(record.At, "end", text)
		return err
	case runstore.TypeLaunch:
		launch, err := runstore.Decode[runstore.LaunchRecord](record)
		l.addLaunch(record.At, launch)
		return err
	case runstore.TypeStep:
		step, err := runstore.Decode[struct {
			Stage string `json:"stage"`
			Step  int    `json:"step"`
		}](record)
		l.step = step.Step
		l.reached(step.Stage, step.Step)
		return err
	case runstore.TypeEvent:
		event, err := runstore.Decode[runstore.EventRecord](record)
		l.addEvent(record.At, event)
		return err
	}
	return nil
}

func (l *runState) addLaunch(at time.Time, launch runstore.LaunchRecord) {
	if launch.Reattached {
		l.addMark(at, "take_up", "the trainer continued without a host and was resumed")
		return
	}
	l.step = max(0, launch.FromStep)
	if _, known := l.stage[launch.Stage]; !known {
		l.addMark(at, "stage", launch.Stage)
	}
	l.reached(launch.Stage, l.step)
	if i := l.stage[launch.Stage]; l.page.Stages[i].FirstStep > launch.FirstStep || l.page.Stages[i].FirstStep == 0 {
		l.page.Stages[i].FirstStep = launch.FirstStep
	}
}

func (l *runState) reached(stage string, step int) {
	i, known := l.stage[stage]
	if !known {
		i = len(l.page.Stages)
		l.stage[stage] = i
		l.page.Stages = append(l.page.Stages, stageLine{Name: stage, FirstStep: step})
	}
	l.page.Stages[i].LastStep = step
}

func (l *runState) addEvent(at time.Time, event runstore.EventRecord) {
	if event.Level == "warn" || event.Level == "error" {
		if event.Kind != "attempt_given_up" { // shown with their episodes
			l.page.Warnings = append(l.page.Warnings, event.Message)
		}
	}
	if event.Kind != "plugin_restarting" && event.Kind != "plugin_crashed" {
		return
	}
	address := event.Fields["plugin"]
	if event.Kind == "plugin_restarting" {
		l.addMark(at, "plugin_restart", address+": "+event.Message)
	}
	for i := range l.page.Plugins {
		if p := &l.page.Plugins[i]; p.Address == address {
			p.LastWords = event.Message
			if event.Kind == "plugin_restarting" {
				p.Restarts++
			}
		}
	}
}

// metrics returns curves with a point for each step in the lineage.
func (s *Server) metrics(r *http.Request) (any, error) {
	x, p, done, err := s.opened(r, "name", "after")
	if err != nil {
		return nil, err
	}
	defer done()
	after, names := p.whole("after"), p.values["name"]
	if p.err != nil {
		return nil, p.err
	}
	series := map[string][]point{}
	for _, name := range names {
		series[name] = []point{}
	}
	for row, err := range x.Run().Metrics() {
		if err != nil {
			return nil, err
		}
		if after != nil && row.Step <= *after {
			continue
		}
		for name, value := range row.Values {
			if len(names) == 0 || slices.Contains(names, name) {
				series[name] = append(series[name], point{row.Step, value})
			}
		}
	}
	return map[string]any{"series": series}, nil
}

// point is [step, value]. A value that JSON cannot represent is null.
type point struct {
	step  int
	value float64
}

// MarshalJSON implements json.Marshaler.
func (p point) MarshalJSON() ([]byte, error) {
	if p.value-p.value != 0 {
		return fmt.Appendf(nil, "[%d,null]", p.step), nil
	}
	return fmt.Appendf(nil, "[%d,%v]", p.step, p.value), nil
}

// stepLine summarizes a step.
type stepLine struct {
	Step      int                `json:"step"`
	Stage     string             `json:"stage"`
	Episodes  int                `json:"episodes"`
	Reward    *float64           `json:"reward"`  // mean over the episodes with a reward
	Success   *float64           `json:"success"` // fraction of the episodes with a verdict
	Failed    int                `json:"failed"`
	Truncated int                `json:"truncated"`
	Malformed int                `json:"malformed"` // calls of the policy that could not be parsed
	Seconds   map[string]float64 `json:"seconds"`   // by part: metrics of the step with these name endings
	// Parts holds the seconds for all episodes, by runstore.TimeParts.
	Parts map[string]float64 `json:"parts"`

	rewards, rewarded, solved, judged float64
}

// steps returns the training episodes for each step, by the step for which they were drawn.
func (s *Server) steps(r *http.Request) (any, error) {
	x, p, done, err := s.opened(r, "from", "to")
	if err != nil {
		return nil, err
	}
	defer done()
	from, to := p.whole("from"), p.whole("to")
	if p.err != nil {
		return nil, p.err
	}
	inside := func(step int) bool { return (from == nil || step >= *from) && (to == nil || step <= *to) }
	steps := map[int]*stepLine{}
	for f := range x.All() {
		if f.Split == sdk.SplitTrain && f.Standing != runstore.Superseded && f.Outcome != sdk.OutcomeCancelled &&
			inside(f.Step) {
			if steps[f.Step] == nil {
				steps[f.Step] = &stepLine{Step: f.Step, Stage: f.Stage, Seconds: map[string]float64{}, Parts: map[string]float64{}}
			}
			steps[f.Step].add(f)
		}
	}
	for row, err := range x.Run().Metrics() {
		if err != nil {
			return nil, err
		}
		for name, value := range row.Values {
			if part, ok := strings.CutSuffix(name, "_seconds"); ok && steps[row.Step] != nil && value-value == 0 {
				steps[row.Step].Seconds[part[strings.LastIndexByte(part, '/')+1:]] = value
			}
		}
	}
	lines := []*stepLine{}
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		steps[step].sum()
		lines = append(lines, steps[step])
	}
	return map[string]any{"steps": lines}, nil
}

func (l *stepLine) add(f index.Fact) {
	l.Episodes++
	l.Malformed += f.Malformed
	for i, part := range runstore.TimeParts() {
		l.Parts[part] += float64(f.Parts[i]) / 1000
	}
	if f.Reward != nil {
		l.rewards, l.rewarded = l.rewards+*f.Reward, l.rewarded+1
	}
	if f.Success != nil {
		l.judged++
		if *f.Success {
			l.solved++
		}
	}
	switch {
	case f.Class != "":
		l.Failed++
	case f.Outcome == sdk.OutcomeTruncated:
		l.Truncated++
	}
}

func (l *stepLine) sum() {
	if mean := l.rewards / l.rewarded; l.rewarded > 0 && mean-mean == 0 {
		l.Reward = &mean
	}
	if rate := l.solved / l.judged; l.judged > 0 {
		l.Success = &rate
	}
}

// byStep orders a task's episodes.
func byStep(a, b index.Fact) int {
	return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Sample, b.Sample))
}
