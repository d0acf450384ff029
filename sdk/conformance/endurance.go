package conformance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// These probes go beyond single rules: they examine the state of a plugin after thousands of episodes and after its
// process was killed.

const (
	leakRounds  = 10_000         // episodes, or scored items
	leakWarmUp  = leakRounds / 5 // rounds until caches, pools and heaps have reached their size
	leakWorkers = 16

	// The growth allowed by the end. Smaller growth per episode is not detected, because heap sizes fluctuate.
	leakBytes    = 2 << 10 // per episode
	heavyBytes   = 8 << 10 // per episode, for the MUST
	heavyRounds  = 500     // at least, because heaps grow at first
	heavyHandles = 64      // at least, because pools of workers grow at first
	leakSlack    = 8 << 20 // in addition
	leakHandles  = 8       // descriptors or threads

	// Limits of the probe itself. It stops when the process holds this much more memory than before, which is
	// conclusive, and limits the number of responses in flight.
	leakCeiling    = 512 << 20
	ceilingRounds  = 64       // rounds between two looks
	maxAnswerBytes = 64 << 20 // bytes of all concurrent answers
)

// usage is the resource usage of a process.
type usage struct {
	bytes       int64 // resident
	descriptors int
	threads     int
}

// errNoUsage reports that the system does not provide a process's resource usage.
var errNoUsage = errors.New("this system has no /proc from which to read a process's resources")

// usageOf reads /proc for a process and its children, for example the worker behind a wrapper.
func usageOf(pid int) (usage, error) {
	var u usage
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		return u, errNoUsage
	}
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return u, err
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return u, fmt.Errorf("/proc/%d/statm contains %q", pid, statm)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return u, err
	}
	u.bytes = pages * int64(os.Getpagesize())
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return u, err
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return u, err
	}
	u.descriptors, u.threads = len(open), len(tasks)
	for _, task := range tasks {
		list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue // a thread that has just ended, or a kernel without this information
		}
		for _, child := range strings.Fields(string(list)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				return u, err
			}
			more, err := usageOf(id)
			if err != nil {
				continue // a child that has just ended
			}
			u.bytes, u.descriptors, u.threads = u.bytes+more.bytes, u.descriptors+more.descriptors, u.threads+more.threads
		}
	}
	return u, nil
}

// endurance is the result of thousands of episodes or items. They are run once for all checks that inspect them.
type endurance struct {
	growth         []string // growth of the process
	heavy          bool     // it grew by more than heavyBytes, a file, or a thread per round
	changedAnswers []string // changed answers
	usageError     error    // why the resource usage cannot be read
	playError      error    // why the rounds failed
}

// round is an episode or item that a probe runs. It returns the plugin's response, which is compared with the response
// to an identical round.
type round struct {
	kind int // equal rounds have the same kind
	play func(ctx context.Context) (said string, size int, err error)
}

// probe runs rounds in a process.
type probe struct {
	t         *T
	what      string // "episode"
	workers   int
	next      func(n int) round
	readUsage func() (usage, error) // reads the resource usage of the process

	deadline       time.Time
	played         int
	mu             sync.Mutex
	answersByKind  map[int]string // answers by kind
	size           int            // of the longest answer
	changedAnswers []string
}

var errDrift = errors.New("a response has changed")

// run runs rounds until the limit, and compares the final resource usage with the usage after a fifth of them.
func (b *probe) run() *endurance {
	out := &endurance{}
	_, out.usageError = b.readUsage()
	b.answersByKind = map[int]string{}
	b.deadline = time.Now().Add(b.t.suite.config.Endurance / 5)
	if out.playError = b.playRound(b.t.call(), 0); out.playError != nil { // measures the size of the answers
		return out
	}
	b.deadline = time.Now().Add(b.t.suite.config.Endurance / 5)
	out.playError = b.playRounds(leakWarmUp)
	for range 2 { // a heap that is collected late grows once, a leak keeps growing
		if out.playError != nil {
			break
		}
		before, warm := b.currentUsage(), b.played
		before.bytes += 4 * int64(maxConcurrent(b.workers, b.size)*b.size) // large answers may be held more than once
		b.deadline = time.Now().Add(b.t.suite.config.Endurance * 4 / 5)
		out.playError = b.playRounds(leakRounds - leakWarmUp)
		now, rounds := b.currentUsage(), int64(b.played-warm)
		handles := max(now.descriptors-before.descriptors, now.threads-before.threads-leakWorkers)
		out.heavy = handles > max(heavyHandles, int(rounds)*9/10) || rounds >= heavyRounds &&
			now.bytes-before.bytes > max(leakSlack+rounds*leakBytes, leakSlack/2+rounds*heavyBytes)
		if out.growth = growthBetween(before, now, rounds, b.what); len(out.growth) == 0 {
			break
		}
	}
	if errors.Is(out.playError, errDrift) {
		out.playError, out.growth, out.heavy = nil, nil, false
	}
	out.changedAnswers = b.changedAnswers
	return out
}

// currentUsage returns the process's resource usage, or zero if it cannot be read.
func (b *probe) currentUsage() usage {
	u, err := b.readUsage()
	if err != nil {
		return usage{}
	}
	return u
}

// playRounds runs rounds until it reaches most, the deadline, an error, or the ceiling.
func (b *probe) playRounds(most int) error {
	// This exceeds the deadline so that the last call can finish.
	ctx, cancel := context.WithTimeout(b.t.ctx, b.t.suite.config.Endurance+b.t.suite.config.CallTimeout)
	defer cancel()
	before := b.currentUsage().bytes
	workers := maxConcurrent(b.workers, b.size)
	var next atomic.Int64
	var full atomic.Bool
	var all sync.WaitGroup
	problems := make([]error, workers)
	for w := range workers {
		all.Go(func() {
			for problems[w] == nil && time.Now().Before(b.deadline) && !full.Load() {
				n := int(next.Add(1))
				if n > most {
					return
				}
				if problems[w] = b.playRound(ctx, b.played+n); problems[w] != nil {
					full.Store(true)
				}
				if n%ceilingRounds == 0 && b.currentUsage().bytes-before > leakCeiling {
					full.Store(true)
				}
			}
		})
	}
	all.Wait()
	b.played += int(min(next.Load(), int64(most)))
	return errors.Join(problems...)
}

// maxConcurrent returns how many calls may run concurrently such that their responses fit in memory.
func maxConcurrent(most, size int) int { return min(most, max(1, maxAnswerBytes/max(size, 1))) }

// playRound plays the n-th round.
func (b *probe) playRound(ctx context.Context, n int) error {
	r := b.next(n)
	said, size, err := r.play(ctx)
	if err != nil {
		return fmt.Errorf("%s %d: %w", b.what, n, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size = max(b.size, size)
	said = shortened(said)
	switch first, known := b.answersByKind[r.kind]; {
	case !known:
		b.answersByKind[r.kind] = said
	case first != said:
		b.changedAnswers = append(b.changedAnswers, fmt.Sprintf("the response for %s %d differs from an equal earlier "+
			"one:\n%s\nbefore\n%s", b.what, n, said, first))
		return errDrift
	}
	return nil
}

// maxComparedText is the length up to which a response is kept for comparison. The rest is compared by its digest.
const maxComparedText = 16 << 10

// shortened returns a string that is short enough to keep but still differs from others.
func shortened(text string) string {
	if len(text) <= maxComparedText {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes, sha256:%x)", strings.ToValidUTF8(text[:maxComparedText], ""), len(text),
		sha256.Sum256([]byte(text)))
}

// growthBetween describes a process's growth.
func growthBetween(before, after usage, rounds int64, what string) []string {
	var said []string
	if more := after.bytes - before.bytes; more > leakSlack+rounds*leakBytes {
		said = append(said, fmt.Sprintf("the memory grew by %d KiB in %s, %d bytes each: from %d to %d MiB", more>>10,
			plural(rounds, what), more/max(rounds, 1), before.bytes>>20, after.bytes>>20))
	}
	if after.descriptors-before.descriptors > leakHandles {
		said = append(said, fmt.Sprintf("the open files grew from %d to %d in %s", before.descriptors, after.descriptors,
			plural(rounds, what)))
	}
	if after.threads-before.threads > leakHandles+leakWorkers {
		said = append(said, fmt.Sprintf("the threads grew from %d to %d in %s", before.threads, after.threads,
			plural(rounds, what)))
	}
	return said
}

// enduranceResult returns the component's result for thousands of rounds.
func (t *T) enduranceResult() *endurance {
	if t.component.endurance == nil {
		b := t.rewardProbe
		if t.component.kind == "environment" {
			b = t.environmentProbe
		}
		t.component.endurance = b().run()
	}
	e := t.component.endurance
	t.need(e.playError, "play thousands of them")
	return e
}

func checkLeaks(t *T) {
	for _, kept := range t.measuredGrowth().growth {
		t.errorf("%s", kept)
	}
}

func (t *T) measuredGrowth() *endurance {
	e := t.enduranceResult()
	switch {
	case e.usageError != nil:
		t.skipf("%v", e.usageError)
	case len(e.changedAnswers) > 0:
		t.skipf("the responses change, so too few were requested")
	}
	return e
}

func checkHeavyLeaks(t *T) {
	if e := t.measuredGrowth(); e.heavy {
		t.errorf("%s", strings.Join(e.growth, "; "))
	}
}

func checkDrift(t *T) {
	e := t.enduranceResult()
	for _, other := range e.changedAnswers[:min(len(e.changedAnswers), 2)] {
		t.errorf("%s", other)
	}
}

func usageReader(p *client.Plugin) func() (usage, error) {
	return func() (usage, error) { return usageOf(p.PID()) }
}

// probedEpisodes is the number of fixture episodes that a probe runs in turn, and probedSteps is the number of messages
// in each.
const (
	probedEpisodes = 3
	probedSteps    = 2
)

func (t *T) environmentProbe() *probe {
	p := t.fresh()
	workers := leakWorkers
	if most := int(t.component.GetEnvironment().GetMaxSessions()); most > 0 {
		workers = min(workers, most)
	}
	kinds := make([]episode, probedEpisodes)
	for i := range kinds {
		kinds[i].fixture, kinds[i].scripted = t.playable(p, i)
	}
	return &probe{t: t, readUsage: usageReader(p), what: "episode", workers: workers, next: func(n int) round {
		kind := n % len(kinds)
		e := &episode{t: t, p: p, id: fmt.Sprintf("conformance/leak/%d", n), fixture: kinds[kind].fixture,
			scripted: kinds[kind].scripted}
		return round{kind, func(ctx context.Context) (string, int, error) {
			said, err := e.playOnce(ctx, probedSteps)
			if !t.component.has(NeedDeterminism) {
				said = ""
			}
			return said, e.largest, err
		}}
	}}
}

// playOnce opens the episode, runs part of it, and closes it, all within the caller's deadline.
func (e *episode) playOnce(ctx context.Context, most int) (said string, err error) {
	env := environmentOf(e.p)
	if e.opened, err = env.Open(ctx, e.request()); err != nil {
		return "", err
	}
	e.shortenTexts(e.opened, e.opened.GetMessages())
	var answers []*awhostv1.StepResponse
	for e.steps < most {
		step := &awhostv1.StepRequest{EpisodeId: e.id, InstanceId: e.opened.GetInstanceId(), StepId: fmt.Sprint(e.steps + 1),
			Message: e.next()}
		e.steps++
		out, err := env.Step(ctx, step)
		if err != nil {
			return "", err
		}
		e.shortenTexts(out, out.GetMessages())
		if answers = append(answers, out); out.GetDone() {
			break
		}
	}
	_, err = e.tryClose(ctx)
	return e.transcript(answers), err
}

func (t *T) rewardProbe() *probe {
	p := t.fresh()
	known := t.items()
	reward := rewardOf(p)
	return &probe{t: t, readUsage: usageReader(p), what: "item", workers: leakWorkers, next: func(n int) round {
		kind := n % len(known)
		i := proto.Clone(known[kind].ScoreItem).(*awhostv1.ScoreItem)
		i.EpisodeId = fmt.Sprintf("conformance/leak/%d", n)
		return round{kind, func(ctx context.Context) (string, int, error) {
			out, err := reward.Score(ctx, &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i}})
			if err != nil || len(out.GetItems()) != 1 {
				return "", 0, cmp.Or(err, fmt.Errorf("one item got %d results", len(out.GetItems())))
			}
			return resultText(out.GetItems()[0]), proto.Size(out), nil
		}}
	}}
}

// resultText formats a result for comparison.
func resultText(r *awhostv1.ScoreResult) string {
	said := describeResult(r)
	components := r.GetValue().GetComponents()
	for _, name := range slices.Sorted(maps.Keys(components)) {
		said += fmt.Sprintf(", %s %v", name, components[name])
	}
	if v := r.GetValue(); v != nil && v.IsSuccess != nil {
		said += fmt.Sprintf(", success %v", v.GetIsSuccess())
	}
	return said
}

// killProcess kills a process with SIGKILL and waits until it and its children have ended, as the guard does in a run.
// Processes that are allowed to outlast it are left alone.
func (t *T) killProcess(p *client.Plugin) {
	process, err := os.FindProcess(p.PID())
	if err == nil {
		_ = process.Kill() // fails if it has already ended
	}
	<-p.Done()
	t.suite.endLeftovers(t.ctx, func(instance string) bool { return instance == p.Name() })
}

// ownDir creates a directory for a component or for the output of a check.
func (t *T) ownDir() string {
	dir, err := os.MkdirTemp(t.suite.dir, "own-")
	t.need(err, "make a directory")
	return dir
}

// startIn starts a process and configures the component in it, using a directory that another process may have used
// before.
func (t *T) startIn(dir string, incarnation int64) *client.Plugin {
	p := t.start()
	req := t.suite.configureRequest(t.component, dir)
	req.Incarnation = incarnation
	t.need(t.suite.configureWith(t.ctx, p, req), "configure the component")
	return p
}

// killDuring kills a process during a call and returns another one that uses the same directory.
func (t *T) killDuring(own string, incarnation int64, prepare func(*client.Plugin),
	call func(*client.Plugin) error) *client.Plugin {
	p := t.startIn(own, incarnation)
	prepare(p)
	busy, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; ; first = false {
			gone := call(p) != nil
			if first {
				close(busy)
			}
			if gone {
				return
			}
		}
	}()
	<-busy                           // its first call may take long
	time.Sleep(5 * time.Millisecond) // in the middle of any call: no result depends on which
	t.killProcess(p)
	<-ended
	return t.startIn(own, incarnation+1)
}

func checkEnvironmentKilled(t *T) {
	own, incarnation := t.ownDir(), int64(1)
	alone := t.episodeIn(t.shared(), "alone", 0)
	want := alone.transcript(alone.play(maxSteps))
	calls := []struct {
		name string
		call func(*client.Plugin, *episode) error
	}{
		{"Open", func(_ *client.Plugin, e *episode) error { return e.open() }},
		{"Step", func(_ *client.Plugin, e *episode) error {
			if err := e.open(); err != nil {
				return err
			}
			_, err := e.stepAs("1", assistant("conformance"))
			return err
		}},
		{"Close", func(_ *client.Plugin, e *episode) error {
			_, err := e.tryClose(t.call())
			return err
		}},
	}
	for _, c := range calls {
		var lost *episode
		p := t.killDuring(own, incarnation, func(p *client.Plugin) { lost = t.episodeIn(p, "killed-in-"+c.name, 0) },
			func(p *client.Plugin) error { return c.call(p, lost) })
		incarnation += 2
		lost.p = p
		_, err := lost.stepAs("after", assistant("conformance"))
		t.checkSessionLostError(err, "after kill -9 in the middle of "+c.name+", in another process, a step of the "+
			"episode that was open")
		e := t.episodeIn(p, "after-"+c.name, 0)
		if got := e.transcript(e.play(maxSteps)); t.component.has(NeedDeterminism) && got != want {
			t.errorf("after kill -9 in the middle of %s an episode differs:\n%s\nbefore\n%s", c.name, got, want)
		}
	}
}

func checkRewardKilled(t *T) {
	known := t.items()[0]
	want := t.scoreOne(known.ScoreItem, known.name)
	req := &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{known.ScoreItem}}
	p := t.killDuring(t.ownDir(), 1, func(*client.Plugin) {}, func(p *client.Plugin) error {
		_, err := rewardOf(p).Score(t.call(), req)
		return err
	})
	out, err := rewardOf(p).Score(t.call(), req)
	t.need(err, "Score in another process after kill -9")
	if len(out.GetItems()) != 1 || t.component.has(NeedPurity) &&
		describeResult(out.GetItems()[0]) != describeResult(want) {
		t.errorf("%s gets %v after kill -9 but got %s before", known.name, out.GetItems(), describeResult(want))
	}
}

// checkCancelled makes calls that are canceled after 0.5, 1, 2, 4 … 256 ms: some before they arrive and some while they
// are running, even on slow machines.
func (t *T) checkCancelled(call func(ctx context.Context, n int)) {
	var all sync.WaitGroup
	for n := range 64 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.ctx, time.Millisecond<<(n%10)/2)
			defer cancel()
			call(ctx, n)
		})
	}
	all.Wait()
}

func checkEnvironmentCancelled(t *T) {
	p := t.shared()
	alone := t.episodeIn(p, "alone", 0)
	want := alone.transcript(alone.play(maxSteps))
	e := t.episode("cancelled")
	step := &awhostv1.StepRequest{EpisodeId: e.id, InstanceId: e.opened.GetInstanceId(), StepId: "1", Message: e.next()}
	t.checkCancelled(func(ctx context.Context, _ int) { _, _ = environmentOf(p).Step(ctx, step) })
	e.steps = 1
	first, err := e.stepAs("1", step.GetMessage())
	if err != nil {
		t.fatalf("a step that 64 calls requested and canceled: %v", err)
	}
	e.shortenTexts(first, first.GetMessages())
	answers := []*awhostv1.StepResponse{first}
	if !first.GetDone() {
		rest, err := e.tryPlay(maxSteps - 1)
		t.need(err, "the later steps")
		answers = append(answers, rest...)
	}
	if got := e.transcript(answers); t.component.has(NeedDeterminism) && got != want {
		t.errorf("after a step that 64 calls requested and canceled the episode differs:\n%s\nbefore\n%s", got, want)
	}
	if p.Exit() != nil {
		t.errorf("canceled calls ended the plugin: %v", p.Exit())
	}
}

func checkRewardCancelled(t *T) {
	known := t.items()[0]
	want := t.scoreOne(known.ScoreItem, known.name)
	p := t.shared()
	t.checkCancelled(func(ctx context.Context, _ int) {
		_, _ = rewardOf(p).Score(ctx, &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{known.ScoreItem}})
	})
	if p.Exit() != nil {
		t.fatalf("canceled calls ended the plugin: %v", p.Exit())
	}
	if again := t.scoreOne(known.ScoreItem, known.name); t.component.has(NeedPurity) &&
		describeResult(again) != describeResult(want) {
		t.errorf("after canceled calls, %s gets %s but got %s "+
			"before", known.name, describeResult(again), describeResult(want))
	}
}

// plural returns "1 step" or "2 steps".
func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
