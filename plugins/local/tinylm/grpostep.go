package tinylm

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// shuffleSeed separates the ordering of mini-batches from other uses of a seed.
const shuffleSeed = 0x0bde

// Sample is one episode in a GRPO step: its outcome and its conversations. All its rows receive the episode's
// advantage, and the episode counts once in its group.
type Sample struct {
	grpo.Outcome
	Rows []Row
}

// GRPOStep trains on a batch of samples, which the caller orders by slot. If no sample carries a signal, the weights
// stay unchanged and Metrics.Updates is 0. After an error, such as *NonFiniteGradientError, nothing has changed, even
// if earlier updates in the step succeeded.
func (p *Policy) GRPOStep(samples []Sample, h grpo.Hyper) (grpo.Metrics, error) {
	if err := p.checkSamples(samples, h); err != nil {
		return grpo.Metrics{}, fmt.Errorf("GRPO step: %w", err)
	}
	outcomes := make([]grpo.Outcome, len(samples))
	for i, s := range samples {
		outcomes[i] = s.Outcome
	}
	advantages, stats := grpo.Advantages(outcomes, h)
	var used []sampleInTraining
	for i, a := range advantages {
		if a.Used {
			used = append(used, sampleInTraining{rows: samples[i].Rows, advantage: a.Value})
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	metrics := grpo.Metrics{BatchStats: stats, LearningRate: h.LearningRate}
	if h.KL > 0 {
		p.addReference(used)
	}
	if err := p.updates(used, h, &metrics); err != nil {
		return grpo.Metrics{}, fmt.Errorf("GRPO step: %w", err)
	}
	metrics.Finish()
	return metrics, nil
}

func (p *Policy) checkSamples(samples []Sample, h grpo.Hyper) error {
	if err := h.Validate(); err != nil {
		return err
	}
	p.mu.Lock()
	noReference := p.reference == nil
	p.mu.Unlock()
	if h.KL > 0 && noReference {
		return errors.New("the KL coefficient is set, but no reference is frozen: call FreezeReference first")
	}
	for i, s := range samples {
		if s.Masked {
			continue
		}
		if math.IsNaN(s.Reward) || math.IsInf(s.Reward, 0) {
			return fmt.Errorf("sample %d: the reward is %v, but must be finite; mask samples without a "+
				"reward", i, s.Reward)
		}
		for j, r := range s.Rows {
			if err := p.checkSampledRow(r); err != nil {
				return fmt.Errorf("sample %d, row %d: %w", i, j, err)
			}
		}
	}
	return nil
}

func (p *Policy) checkSampledRow(r Row) error {
	if err := p.checkRow(r); err != nil {
		return err
	}
	if len(r.Logprobs) != len(r.IDs) {
		return fmt.Errorf("it has %d logprobs for %d tokens", len(r.Logprobs), len(r.IDs))
	}
	for i, trained := range r.Trained {
		if l := float64(r.Logprobs[i]); trained && !(l <= 1e-3 && l > math.Inf(-1)) {
			return fmt.Errorf("the logprob of token %d is %v; it must be finite and at most 0", i, l)
		}
	}
	return nil
}

// sampleInTraining is a sample with its advantage and, if there is a KL penalty, the reference's logprobs for its
// trained tokens.
type sampleInTraining struct {
	rows      []Row
	reference [][]float32
	advantage float64
}

func (p *Policy) addReference(samples []sampleInTraining) {
	var rows []Row
	for _, s := range samples {
		rows = append(rows, s.rows...)
	}
	all := p.shards.logprobs(p.reference, rows)
	for i, s := range samples {
		samples[i].reference, all = all[:len(s.rows)], all[len(s.rows):]
	}
}

// updates iterates over the samples in mini-batches. A failed update reverts the earlier ones.
func (p *Policy) updates(samples []sampleInTraining, h grpo.Hyper, metrics *grpo.Metrics) error {
	size := len(samples)
	if h.MiniBatch > 0 {
		size = min(size, h.MiniBatch)
	}
	before := p.checkpoint()
	for epoch := range max(1, h.Epochs) {
		for from := 0; from < len(samples); from += size {
			if from == 0 && (epoch > 0 || size < len(samples)) {
				samples = shuffled(samples, h.Seed, epoch)
			}
			update, err := p.updateOnce(samples[from:min(from+size, len(samples))], h, metrics)
			if err != nil {
				p.restore(before)
				return err
			}
			if update.Tokens > 0 {
				metrics.Add(update)
			}
		}
	}
	return nil
}

func shuffled(samples []sampleInTraining, seed uint64, epoch int) []sampleInTraining {
	order := append([]sampleInTraining(nil), samples...)
	random := rand.New(rand.NewPCG(seed+uint64(epoch), shuffleSeed))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// trainingState is the state that is changed by an update.
type trainingState struct {
	weights, m, v []float32
	step          int
	changed       bool
}

func (p *Policy) checkpoint() trainingState {
	clone := func(v []float32) []float32 { return append([]float32(nil), v...) }
	return trainingState{clone(p.trained.weights), clone(p.optimiser.m), clone(p.optimiser.v), p.optimiser.step, p.changed}
}

func (p *Policy) restore(s trainingState) {
	p.trained.weights, p.optimiser.m, p.optimiser.v = s.weights, s.m, s.v
	p.optimiser.step, p.changed = s.step, s.changed
}
