package pythonplugin

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// job is an item waiting to be scored.
type job struct {
	body      []byte      // the function's arguments, a JSON object
	done      chan result // buffered, because a caller may have stopped waiting
	abandoned atomic.Bool // its caller has stopped waiting

	// For its worker only.
	deaths   int  // processes that ended while scoring it
	timeouts int  // calls that exceeded the limit; they are not repeated
	alone    bool // to be sent alone, after a shared call failed
}

func newJob(body []byte) *job { return &job{body: body, done: make(chan result, 1)} }

func (j *job) finish(s sdk.Scored) {
	j.done <- result{scored: s, deaths: j.deaths, timeouts: j.timeouts}
}

// result is the result of a job.
type result struct {
	scored           sdk.Scored
	deaths, timeouts int
}

// count adds the job's incidents to a call's metrics.
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

// workerPool is the queue of jobs and its workers, each with its own process.
type workerPool struct {
	workers int
	owned   sync.WaitGroup
	stop    chan struct{}

	mu     sync.Mutex
	queue  []*job
	wake   *sync.Cond
	closed bool
}

// newWorkerPool starts the workers. The first worker receives a process; the others start theirs when they have work.
func newWorkerPool(l *loader, c *rewardConfig, first *interpreter.Interpreter, function *loaded) *workerPool {
	p := &workerPool{workers: processes(c.Workers), stop: make(chan struct{})}
	p.wake = sync.NewCond(&p.mu)
	for n := range p.workers {
		w := &worker{pool: p, loader: l, timeout: c.timeout, limit: c.timeout, batch: c.Batch, retryable: c.Retryable,
			timePerJob: time.Millisecond}
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

// put queues jobs. It returns false if the pool is closed.
func (p *workerPool) put(jobs []*job) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.queue = append(p.queue, jobs...)
	p.wake.Broadcast()
	return true
}

// take waits for jobs and takes up to most of them, leaving a share for the other workers. It returns nil if the pool
// is closed.
func (p *workerPool) take(most int) []*job {
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

// close ends the workers and their processes. The remaining jobs receive a failure.
func (p *workerPool) close() {
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
	return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "the reward was stopped",
		Retryable: true}}
}
