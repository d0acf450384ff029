package tinylm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// enumerated is a policy with so few answers that all can be enumerated: two tokens out of four.
type enumerated struct {
	t           *testing.T
	policy      *Policy
	temperature float64
}

var enumeratedPrompt = []int32{2, 3}

// newEnumerated returns a policy that is far from uniform, so that temperatures matter.
func newEnumerated(t *testing.T, temperature float64) enumerated {
	t.Helper()
	m := newModel(Config{Vocab: 4, Dim: 8, Layers: 1, Heads: 2, FFN: 12, MaxLen: 8, RopeTheta: 100, NormEps: 1e-5,
		EndID: 1}, 3)
	r := rand.New(rand.NewPCG(6, 7))
	for i := range m.weights {
		m.weights[i] += float32(r.NormFloat64()) * 0.2
	}
	return enumerated{t, newPolicy(m, 0, Options{}), temperature}
}

// distributions returns the probabilities of the first token and, for each first token, the second token's, for a
// model at the temperature. They are computed from its logits alone, in float64.
func (e enumerated) distributions(m *model) (first []float64, second [][]float64) {
	next := func(ids ...int32) []float64 {
		s := newSession(m.cfg)
		s.model = m
		for i, id := range ids {
			s.feed(id, i == len(ids)-1)
		}
		scaled := make([]float64, len(s.logits))
		for i, logit := range s.logits {
			scaled[i] = float64(logit) / e.temperature
		}
		return softmax64(scaled)
	}
	first = next(enumeratedPrompt...)
	for id := range first {
		second = append(second, next(append(enumeratedPrompt[:2:2], int32(id))...))
	}
	return first, second
}

// rows samples until every answer has occurred, and returns each as a training row, in the order of its tokens.
func (e enumerated) rows() []Row {
	e.t.Helper()
	vocab := e.policy.cfg.Vocab
	rows, seen := make([]Row, vocab*vocab), 0
	for seed := uint64(0); seen < len(rows) && seed < 100000; seed++ {
		row := sampledRow(e.t, e.policy, enumeratedPrompt, seed,
			Sampling{Temperature: e.temperature, MaxTokens: 2, Stop: []int32{}})
		if at := int(row.IDs[2])*vocab + int(row.IDs[3]); rows[at].IDs == nil {
			rows[at], seen = row, seen+1
		}
	}
	if seen < len(rows) {
		e.t.Fatalf("only %d of %d answers were ever sampled", seen, len(rows))
	}
	return rows
}

// reward returns the reward of an answer by its index in rows: the numbers are arbitrary.
func (e enumerated) reward(answer int) float64 {
	return []float64{0, 1, 0.3, -0.5, 2, 0.1, 0.7}[answer%7]
}

// expectedReward returns Σ P(answer)·reward.
func (e enumerated) expectedReward(m *model) float64 {
	first, second := e.distributions(m)
	sum := 0.0
	for a, pa := range first {
		for b, pb := range second[a] {
			sum += pa * pb * e.reward(a*len(first)+b)
		}
	}
	return sum
}

func atTemperatures(t *testing.T, check func(t *testing.T, e enumerated)) {
	for _, temperature := range []float64{0.5, 1, 2} {
		t.Run(fmt.Sprintf("temperature %g", temperature), func(t *testing.T) { check(t, newEnumerated(t, temperature)) })
	}
}

// TestGradientIsThatOfTheSampledDistribution sums the update's gradient over all answers, weighted by their
// probability, and compares it with the derivative of the expected reward, in every tensor. A mistake about the
// distribution that trainer and sampler share would not show in a comparison of the two, but it does here.
func TestGradientIsThatOfTheSampledDistribution(t *testing.T) {
	atTemperatures(t, func(t *testing.T, e enumerated) {
		m := e.policy.trained
		first, second := e.distributions(m)
		rows := e.rows()
		samples := make([]sampleInTraining, len(rows))
		for i, row := range rows {
			often := first[row.IDs[2]] * second[row.IDs[2]][row.IDs[3]]
			samples[i] = sampleInTraining{rows: []Row{row}, advantage: often * e.reward(i)}
		}
		h := grpo.DefaultHyper()
		trained, details, tokens := e.policy.flatten(samples, h)
		gradient := e.policy.shards.gradient(m, trained, func(row int, logprobs, entropies, dLogprobs, dEntropies []float32) {
			details[row].loss(h, logprobs, entropies, dLogprobs, dEntropies)
		})
		for i, g := range gradient { // of the mean loss over all tokens
			gradient[i] = -g * float32(tokens)
		}
		compareWithSlope(t, m, gradient, func() float64 { return e.expectedReward(m) })
	})
}

// TestLogprobsAreOfTheSampledDistribution compares the recorded and the trainer's logprobs with the logits.
func TestLogprobsAreOfTheSampledDistribution(t *testing.T) {
	atTemperatures(t, func(t *testing.T, e enumerated) {
		first, second := e.distributions(e.policy.trained)
		rows := e.rows()
		again, err := e.policy.Logprobs(rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			want := []float64{math.Log(first[row.IDs[2]]), math.Log(second[row.IDs[2]][row.IDs[3]])}
			for k, w := range want {
				if got := row.Logprobs[2+k]; math.Abs(float64(got)-w) > 1e-5 || again[i][2+k] != got {
					t.Errorf("answer %d, token %d: logprob %v at sampling and %v in training, want %v", i, k, got, again[i][2+k], w)
				}
			}
		}
	})
}

// TestKLAndEntropyAreOfTheSampledDistribution weights the step's estimates of single answers by their probability.
// The sums must equal the divergence from the reference, and the entropy, of whole answers.
func TestKLAndEntropyAreOfTheSampledDistribution(t *testing.T) {
	atTemperatures(t, func(t *testing.T, e enumerated) {
		e.policy.FreezeReference()
		r := rand.New(rand.NewPCG(8, 9))
		for i := range e.policy.trained.weights {
			e.policy.trained.weights[i] += float32(r.NormFloat64()) * 0.1
		}
		e.policy.changed = true
		e.policy.Publish()
		first, second := e.distributions(e.policy.trained)
		refFirst, refSecond := e.distributions(e.policy.reference)
		wantKL, wantEntropy := divergence(first, refFirst), entropyOf(first)
		for id, p := range first {
			wantKL += p * divergence(second[id], refSecond[id])
			wantEntropy += p * entropyOf(second[id])
		}
		h := grpo.Hyper{ClipLow: 0.2, ClipHigh: 0.2, KL: 1, KeepZeroVariance: true} // at a rate of 0 nothing changes
		var kl, entropy float64
		for _, row := range e.rows() {
			m, err := e.policy.GRPOStep([]Sample{{Rows: []Row{row}}}, h)
			if err != nil {
				t.Fatal(err)
			}
			often := first[row.IDs[2]] * second[row.IDs[2]][row.IDs[3]]
			kl, entropy = kl+often*m.KL*float64(m.Tokens), entropy+often*m.Entropy*float64(m.Tokens)
		}
		if math.Abs(kl-wantKL) > 1e-4*(1+wantKL) || math.Abs(entropy-wantEntropy) > 1e-4 {
			t.Errorf("divergence %.5f and entropy %.5f, want %.5f and %.5f", kl, entropy, wantKL, wantEntropy)
		}
	})
}

func divergence(p, q []float64) (sum float64) {
	for i := range p {
		sum += p[i] * math.Log(p[i]/q[i])
	}
	return sum
}

func entropyOf(p []float64) (sum float64) {
	for _, v := range p {
		sum -= v * math.Log(v)
	}
	return sum
}
