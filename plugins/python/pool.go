package pythonplugin

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// job is an item that waits to be scored.
type job struct {
	body      []byte      // the function's arguments, a JSON object
	done      chan result // has room for one: nobody waits for a caller that gave up
	abandoned atomic.Bool // nobody wants it any more

	// For its worker only.
	deaths   int  // processes that ended while they scored it
	timeouts int  // calls that took too long; an item is asked about once
	alone    bool // it was part of a call that failed
}

func newJob(body []byte) *job { return &job{body: body, done: make(chan result, 1)} }

func (j *job) finish(s sdk.Scored) {
	j.done <- result{scored: s, deaths: j.deaths, timeouts: j.timeouts}
}

// result is what became of a job.
type result struct {
	scored           sdk.Scored
	deaths, timeouts int
}

// count adds what happened to the metrics of a call.
func (r result) count(to *sdk.ScoreResponse) {
	for name, n := range map[string]int{metricDeaths: r.deaths, metricTimeouts: r.timeouts} {
		if n == 0 {
			continue
		}
		if to.Metrics == nil {
			to.Metrics = map[string]float64{}
		}
		to.Metrics[name] += float64(n)
	}
}

// pool is the queue of jobs and its workers, each with a process of its own.
type pool struct {
	workers int
	owned   sync.WaitGroup
	stop    chan struct{}

	mu     sync.Mutex
	queue  []*job
	wake   *sync.Cond
	closed bool
}

// newPool starts the workers. The first has a process already; the others start theirs when there is work for them.
func newPool(l *loader, c *rewardConfig, first *interpreter.Interpreter, function *loaded) *pool {
	p := &pool{workers: processes(c.Workers), stop: make(chan struct{})}
	p.wake = sync.NewCond(&p.mu)
	for n := range p.workers {
		w := &worker{pool: p, loader: l, timeout: c.timeout, limit: c.timeout, batch: c.Batch, retryable: c.Retryable, pace: time.Millisecond}
		if function.Concurrent {
			w.batch, w.limit = max(1, c.Concurrency), c.timeout+cancelGrace
		}
		if n == 0 {
			w.process = first
		}
		p.owned.Go(w.run)
	}
	return p
}

// put queues jobs; false: the pool is closed.
func (p *pool) put(jobs []*job) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.queue = append(p.queue, jobs...)
	p.wake.Broadcast()
	return true
}

// take waits for jobs and takes up to most of them, leaving their share to the other workers. Nil: the pool is closed.
func (p *pool) take(most int) []*job {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) == 0 && !p.closed {
		p.wake.Wait()
	}
	if p.closed {
		return nil
	}
	n := min(most, max(1, (len(p.queue)+p.workers-1)/p.workers))
	taken := append([]*job(nil), p.queue[:n]...)
	p.queue = append(p.queue[:0], p.queue[n:]...)
	return taken
}

// close ends the workers and their processes. Jobs that are left get a failure.
func (p *pool) close() {
	p.mu.Lock()
	left := p.queue
	first := !p.closed
	p.queue, p.closed = nil, true
	p.wake.Broadcast()
	p.mu.Unlock()
	if first {
		close(p.stop)
	}
	for _, j := range left {
		j.finish(stopped())
	}
	p.owned.Wait()
}

func stopped() sdk.Scored {
	return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "the reward was stopped", Retryable: true}}
}
