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
	maxDeaths     = 3  // processes that one item may cause to end before it is blamed
	maxUnanswered = 64 // items that are sent before the first is answered
	// batchTime is the amount of work that a worker takes at a time. A larger amount would not speed up fast functions,
	// and would keep slow functions' items from other workers.
	batchTime = 20 * time.Millisecond

	// cancelGrace is how long a canceled async function has to end.
	cancelGrace = 2 * time.Second

	firstPause, lastPause = 100 * time.Millisecond, 10 * time.Second // between attempts to start a process
)

// worker scores jobs with its own process, which it replaces if it is lost.
type worker struct {
	pool      *workerPool
	loader    *loader
	timeout   time.Duration // the user's, for one call
	limit     time.Duration // the process is ended after a call takes this long
	batch     int           // items per call; 0: one
	retryable []string

	process    *interpreter.Interpreter // nil: no process
	failed     int                      // consecutive failed starts
	timePerJob time.Duration            // recent average time per job
}

// call is one call to the function.
type call struct {
	jobs   []*job
	answer <-chan interpreter.Answer
}

// run scores jobs until the pool is closed. It runs in the worker's goroutine.
func (w *worker) run() {
	defer w.end()
	for {
		jobs := w.pool.take(w.batchLimit())
		if jobs == nil {
			return
		}
		began, n := time.Now(), len(jobs)
		for calls := w.calls(jobs); len(calls) > 0; {
			calls = w.serve(calls)
		}
		w.timePerJob = (w.timePerJob + time.Since(began)/time.Duration(n)) / 2
	}
}

func (w *worker) end() {
	if w.process != nil {
		w.process.Kill()
		w.process = nil
	}
}

func (w *worker) batchLimit() int {
	return min(max(1, w.batch, int(batchTime/max(w.timePerJob, time.Microsecond))), maxUnanswered)
}

// calls groups jobs into calls.
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

// serve sends all calls and returns the calls to repeat, because the process was lost before it reached them or
// because the failure was not specific to one item.
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
		if c.answer, err = w.process.Send(context.Background(), "score", c.body()); err != nil { // see maxUnanswered
			c.answer = answered(err)
		}
	}
	for i, c := range calls {
		answer, outcome := w.await(c)
		if outcome == outcomeStopped {
			for _, left := range calls[i:] {
				left.fail(stopped().Failure)
			}
			return nil
		}
		again = append(again, w.settle(c, answer, outcome)...)
		if outcome != outcomeAnswered {
			w.end()
			for _, left := range calls[i+1:] {
				again = append(again, left.jobs...)
			}
			break
		}
	}
	return w.calls(again)
}

// outcome describes how the wait for a response ended.
type outcome int

const (
	outcomeAnswered outcome = iota // an answer arrived
	outcomeProcessEnded
	outcomeTooLong
	outcomeStopped
)

// await waits for the response to the first unanswered call. At this point, the process is working on it.
func (w *worker) await(c *call) (interpreter.Answer, outcome) {
	timer := time.NewTimer(w.limit)
	defer timer.Stop()
	select {
	case answer := <-c.answer:
		if errors.Is(answer.Err, interpreter.ErrExited) {
			return answer, outcomeProcessEnded
		}
		return answer, outcomeAnswered
	case <-timer.C:
		return interpreter.Answer{}, outcomeTooLong
	case <-w.pool.stop:
		return interpreter.Answer{}, outcomeStopped
	}
}

// settle finishes the jobs in a call and returns the jobs that must be repeated.
func (w *worker) settle(c *call, answer interpreter.Answer, outcome outcome) []*job {
	switch outcome {
	case outcomeProcessEnded:
		return c.died(w.loader.name, answer.Err)
	case outcomeTooLong:
		return c.late(w.tooLong("its Python was ended"))
	}
	var refused *interpreter.Refusal
	if errors.As(answer.Err, &refused) {
		if len(c.jobs) > 1 {
			return c.split() // one of them may be the cause
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
		err = fmt.Errorf("got %d answers for %d items", len(results), len(c.jobs))
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

// scored is a result in the driver's format.
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

// failure returns an item's failure for an exception or an invalid result.
func (w *worker) failure(r *interpreter.Refusal) *sdk.Failure {
	retry := slices.ContainsFunc(r.Kinds, func(kind string) bool { return slices.Contains(w.retryable, kind) })
	return &sdk.Failure{Class: sdk.FailureReward, Detail: w.loader.name + ": " + r.Error(), Retryable: retry}
}

// tooLong returns the failure for a call that exceeded its time limit. It depends on timing, so it makes the run
// inexact if it counts; this determines its class.
func (w *worker) tooLong(then string) *sdk.Failure {
	return &sdk.Failure{
		Class: sdk.FailureTimeout,
		Detail: fmt.Sprintf("%s did not answer within %s, and %s: increase timeout if it needs longer",
			w.loader.name, w.timeout, then),
		Retryable: slices.Contains(w.retryable, "TimeoutError"),
	}
}

// ready starts a process if necessary. It returns a failure if that is not possible.
func (w *worker) ready() *sdk.Failure {
	if w.process != nil {
		select {
		case <-w.process.Done(): // it ended between two items
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
		return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf("%s: restart its Python process: "+
			"%v", w.loader.name,
			err), Retryable: true}
	}
	w.process, w.failed = process, 0
	return nil
}

// untilStopped returns a context that ends when the pool is closed.
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

// body returns the call as JSON.
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

// split marks the jobs to be sent one by one and returns them.
func (c *call) split() []*job {
	for _, j := range c.jobs {
		j.alone = true
	}
	return c.jobs
}

// died handles a process that exited during the call. The process may have been killed externally, so the item is
// retried, and the failure is attributed to it only after repeated exits.
func (c *call) died(name string, err error) []*job {
	if len(c.jobs) > 1 {
		return c.split()
	}
	j := c.jobs[0]
	if j.deaths++; j.deaths < maxDeaths {
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

// answered returns the answer for a call that could not be sent.
func answered(err error) <-chan interpreter.Answer {
	answer := make(chan interpreter.Answer, 1)
	answer <- interpreter.Answer{Err: err}
	return answer
}
