package pythonplugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

const (
	mostDeaths = 3  // of processes that one item may cause before it is blamed
	mostAhead  = 64 // items that are sent before the first is answered
	// enough is how much work a worker takes at once: more makes no difference to fast functions, and keeps slow ones'
	// items from other workers.
	enough = 20 * time.Millisecond

	// cancelGrace is how long an async function may take to end when it has been cancelled.
	cancelGrace = 2 * time.Second

	firstPause, lastPause = 100 * time.Millisecond, 10 * time.Second // between attempts to start a process
)

// worker scores jobs with a process of its own, which it replaces when it is lost.
type worker struct {
	pool      *pool
	loader    *loader
	timeout   time.Duration // the user's, for one call
	limit     time.Duration // after which a call's process is ended
	batch     int           // items per call; 0: one
	retryable []string

	process *interpreter.Interpreter // nil when there is none
	failed  int                      // attempts to start one, in a row
	pace    time.Duration            // a job's, lately
}

// call is what the function is asked at once.
type call struct {
	jobs   []*job
	answer <-chan interpreter.Answer
}

// run is the worker's goroutine. It ends with the pool.
func (w *worker) run() {
	defer w.end()
	for {
		jobs := w.pool.take(w.appetite())
		if jobs == nil {
			return
		}
		began, n := time.Now(), len(jobs)
		for calls := w.calls(jobs); len(calls) > 0; {
			calls = w.serve(calls)
		}
		w.pace = (w.pace + time.Since(began)/time.Duration(n)) / 2
	}
}

func (w *worker) end() {
	if w.process != nil {
		w.process.Kill()
		w.process = nil
	}
}

func (w *worker) appetite() int {
	return min(max(1, w.batch, int(enough/max(w.pace, time.Microsecond))), mostAhead)
}

// calls groups jobs.
func (w *worker) calls(jobs []*job) []*call {
	var calls []*call
	for _, j := range jobs {
		switch {
		case j.abandoned.Load():
			continue
		case !j.alone && len(calls) > 0 && !calls[len(calls)-1].jobs[0].alone && len(calls[len(calls)-1].jobs) < w.batch:
			last := calls[len(calls)-1]
			last.jobs = append(last.jobs, j)
		default:
			calls = append(calls, &call{jobs: []*job{j}})
		}
	}
	return calls
}

// serve asks about all calls and returns those that have to be asked about again, because the process was lost before it
// came to them or what failed was not one item's.
func (w *worker) serve(calls []*call) []*call {
	if failure := w.ready(); failure != nil {
		for _, c := range calls {
			c.fail(failure)
		}
		return nil
	}
	var again []*job
	for _, c := range calls {
		var err error
		if c.answer, err = w.process.Send(context.Background(), "score", c.body()); err != nil { // there is room: see mostAhead
			c.answer = answered(err)
		}
	}
	for i, c := range calls {
		answer, outcome := w.await(c)
		if outcome == stoppedMeanwhile {
			for _, left := range calls[i:] {
				left.fail(stopped().Failure)
			}
			return nil
		}
		again = append(again, w.settle(c, answer, outcome)...)
		if outcome != said {
			w.end()
			for _, left := range calls[i+1:] {
				again = append(again, left.jobs...)
			}
			break
		}
	}
	return w.calls(again)
}

// outcome is how the wait for an answer ended.
type outcome int

const (
	said outcome = iota // there is one
	died
	tooLong
	stoppedMeanwhile
)

// await waits for the answer to the first call that has none. The process works on it from now on, at the latest.
func (w *worker) await(c *call) (interpreter.Answer, outcome) {
	timer := time.NewTimer(w.limit)
	defer timer.Stop()
	select {
	case answer := <-c.answer:
		if errors.Is(answer.Err, interpreter.ErrGone) {
			return answer, died
		}
		return answer, said
	case <-timer.C:
		return interpreter.Answer{}, tooLong
	case <-w.pool.stop:
		return interpreter.Answer{}, stoppedMeanwhile
	}
}

// settle finishes the jobs of a call, and returns those that are to be asked about again.
func (w *worker) settle(c *call, answer interpreter.Answer, outcome outcome) []*job {
	switch outcome {
	case died:
		return c.died(w.loader.name, answer.Err)
	case tooLong:
		return c.late(w.tooLong("its Python was ended"))
	}
	var refused *interpreter.Refusal
	if errors.As(answer.Err, &refused) {
		if len(c.jobs) > 1 {
			return c.split() // one of them may be to blame
		}
		c.fail(w.failure(refused))
		return nil
	}
	var results []scored
	err := answer.Err
	if err == nil {
		err = json.Unmarshal(answer.OK, &results)
	}
	if err == nil && len(results) != len(c.jobs) {
		err = fmt.Errorf("%d answers to %d items", len(results), len(c.jobs))
	}
	if err != nil {
		c.fail(&sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf("%s: read its answer: %v", w.loader.name, err)})
		return nil
	}
	for i, j := range c.jobs {
		if e := results[i].Error; e != nil && e.Late {
			j.timeouts++
		}
		j.finish(w.scored(results[i]))
	}
	return nil
}

// scored is a result as the driver writes it.
type scored struct {
	Score      float64              `json:"score"`
	Components map[string]float64   `json:"components"`
	IsSuccess  *bool                `json:"is_success"`
	Error      *interpreter.Refusal `json:"error"`
}

func (w *worker) scored(s scored) sdk.Scored {
	if s.Error != nil && s.Error.Late {
		return sdk.Scored{Failure: w.tooLong("was cancelled")}
	}
	if s.Error != nil {
		return sdk.Scored{Failure: w.failure(s.Error)}
	}
	return sdk.Scored{Score: s.Score, Components: s.Components, IsSuccess: s.IsSuccess}
}

// failure is an item's, of an exception or of a result that is no score.
func (w *worker) failure(r *interpreter.Refusal) *sdk.Failure {
	retry := slices.ContainsFunc(r.Kinds, func(kind string) bool { return slices.Contains(w.retryable, kind) })
	return &sdk.Failure{Class: sdk.FailureReward, Detail: w.loader.name + ": " + r.Error(), Retryable: retry}
}

// tooLong is a matter of the clock, so that the run is not exact any more if it counts: hence its class.
func (w *worker) tooLong(then string) *sdk.Failure {
	return &sdk.Failure{
		Class:     sdk.FailureTimeout,
		Detail:    fmt.Sprintf("%s gave no answer within %s, and %s: raise timeout if it needs longer", w.loader.name, w.timeout, then),
		Retryable: slices.Contains(w.retryable, "TimeoutError"),
	}
}

// ready makes sure that there is a process. A failure says why there is none.
func (w *worker) ready() *sdk.Failure {
	if w.process != nil {
		select {
		case <-w.process.Gone(): // between two items
			w.end()
		default:
			return nil
		}
	}
	ctx, cancel := w.untilStopped()
	defer cancel()
	if w.failed > 0 {
		pause := min(firstPause<<min(w.failed-1, 10), lastPause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	process, _, err := w.loader.load(ctx)
	if ctx.Err() != nil && err != nil {
		return stopped().Failure
	}
	if err != nil {
		w.failed++
		return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf("%s: start its Python again: %v", w.loader.name, err), Retryable: true}
	}
	w.process, w.failed = process, 0
	return nil
}

// untilStopped is a context that ends with the pool.
func (w *worker) untilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-w.pool.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

// body is the call in JSON.
func (c *call) body() []byte {
	out := bytes.NewBufferString(`"items":[`)
	for i, j := range c.jobs {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(j.body)
	}
	out.WriteByte(']')
	return out.Bytes()
}

func (c *call) fail(failure *sdk.Failure) {
	for _, j := range c.jobs {
		j.finish(sdk.Scored{Failure: failure})
	}
}

// split returns the jobs to be asked about one by one.
func (c *call) split() []*job {
	for _, j := range c.jobs {
		j.alone = true
	}
	return c.jobs
}

// died is the end of the process while it worked on the call. Others may have killed it: the item is tried again, and
// blamed when it happens again and again.
func (c *call) died(name string, err error) []*job {
	if len(c.jobs) > 1 {
		return c.split()
	}
	j := c.jobs[0]
	if j.deaths++; j.deaths < mostDeaths {
		return c.jobs
	}
	c.fail(&sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf("%s: Python ended %d times while it scored this item: %v", name, j.deaths, err)})
	return nil
}

func (c *call) late(failure *sdk.Failure) []*job {
	if len(c.jobs) > 1 {
		return c.split()
	}
	c.jobs[0].timeouts++
	c.fail(failure)
	return nil
}

// answered is a call that could not be made.
func answered(err error) <-chan interpreter.Answer {
	answer := make(chan interpreter.Answer, 1)
	answer <- interpreter.Answer{Err: err}
	return answer
}
