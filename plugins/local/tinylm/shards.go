package tinylm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// gradientShards is fixed, because it determines the order in which gradients are added, regardless of the number
	// of cores.
	gradientShards = 8
	// microBatchTokens is the number of tokens that are processed at once, chosen so that activations fit in the
	// second-level cache.
	microBatchTokens = 256
)

// lossFunc receives the logprobs and entropies of one row's trained tokens, in order, and writes the derivatives of the
// loss with respect to each of them. It is called once per row, from several goroutines.
type lossFunc func(row int, logprobs, entropies, dLogprobs, dEntropies []float32)

// shards compute gradients on all cores. Micro-batch i belongs to shard i mod 8, each shard adds its micro-batches in
// order, and the shards are added in order.
type shards struct {
	gradients  [gradientShards][]float32
	transposed []float32
	tapes      []*tape // one per worker
}

// gradient returns the gradient of the loss over the rows. The slice is valid until the next call.
func (s *shards) gradient(m *model, rows []Row, loss lossFunc) []float32 {
	resize(&s.transposed, m.layout.size)
	for _, t := range m.layout.matrices {
		transpose(s.transposed[t.offset:t.offset+t.size()], m.weights[t.offset:t.offset+t.size()], t.rows, t.cols)
	}
	s.run(m, rows, func(t *tape, shard int, first bool) {
		if first {
			clear(resize(&s.gradients[shard], m.layout.size))
		}
		n := len(t.targetIDs)
		clear(resize(&t.dLogprobs, n))
		clear(resize(&t.dEntropies, n))
		for _, g := range t.segments {
			from, to := g.targets, g.targets+g.count
			loss(g.row, t.logprobs[from:to], t.entropies[from:to], t.dLogprobs[from:to], t.dEntropies[from:to])
		}
		m.backward(t, s.gradients[shard], s.transposed)
	})
	return s.sum(m.layout.size, len(microBatches(rows)))
}

// sum adds all non-empty shards to the first one, in order.
func (s *shards) sum(size, batches int) []float32 {
	if batches == 0 {
		clear(resize(&s.gradients[0], size))
	}
	total := s.gradients[0]
	for shard := 1; shard < min(batches, gradientShards); shard++ {
		kernel.Saxpy(size, 1, s.gradients[shard], 1, total, 1)
	}
	return total
}

// logprobs returns the logprobs of each row's trained tokens, in order.
func (s *shards) logprobs(m *model, rows []Row) [][]float32 {
	all := make([][]float32, len(rows))
	s.run(m, rows, func(t *tape, _ int, _ bool) {
		for _, g := range t.segments {
			all[g.row] = append([]float32(nil), t.logprobs[g.targets:g.targets+g.count]...)
		}
	})
	return all
}

// run computes the forward pass of every micro-batch and calls visit. first is set for the first micro-batch of its
// shard.
func (s *shards) run(m *model, rows []Row, visit func(t *tape, shard int, first bool)) {
	batches := microBatches(rows)
	workers := min(runtime.GOMAXPROCS(0), gradientShards, len(batches))
	for len(s.tapes) < workers {
		s.tapes = append(s.tapes, &tape{})
	}
	var next atomic.Int32
	var running sync.WaitGroup
	for _, t := range s.tapes[:workers] {
		running.Go(func() {
			for shard := int(next.Add(1)) - 1; shard < gradientShards; shard = int(next.Add(1)) - 1 {
				for i := shard; i < len(batches); i += gradientShards {
					t.pack(m.cfg, rows, batches[i])
					m.forward(t)
					visit(t, shard, i == shard)
				}
			}
		})
	}
	running.Wait()
}

// microBatches splits the rows, in order, into batches of about microBatchTokens. It skips rows without trained tokens.
func microBatches(rows []Row) [][]int {
	var batches [][]int
	tokens := 0
	for i, r := range rows {
		span := r.span()
		if span == 0 {
			continue
		}
		if len(batches) == 0 || tokens+span > microBatchTokens {
			batches, tokens = append(batches, nil), 0
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], i)
		tokens += span
	}
	return batches
}
