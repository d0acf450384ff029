package tinylm

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/local/grpo"
)

// TestCloningLearnsToCopy checks that forward, backward and optimizer work together: the copy task requires attention
// and positions.
func TestCloningLearnsToCopy(t *testing.T) {
	c := smallConfig()
	c.Dim, c.Heads, c.FFN = 32, 4, 48
	p := newTestPolicy(t, c, 1)
	r := rand.New(rand.NewPCG(1, 1))
	schedule := grpo.Schedule{Peak: 1e-2, Shape: grpo.Cosine, WarmupSteps: 10, TotalSteps: 250}
	var first, last float64
	for step := 1; step <= 250; step++ {
		m, err := p.SFTStep(copyRows(r, 24), schedule.At(step))
		if err != nil {
			t.Fatal(err)
		}
		if step == 1 {
			first = m.Loss
		}
		last = 0.9*last + 0.1*m.Loss
	}
	t.Logf("loss %.2f at the first step, %.2f at the end; guessing without looking back gives 1.7", first, last)
	if last > 0.6 {
		t.Errorf("loss %.2f after 250 steps", last)
	}
}

// TestGRPOFindsTheReward rewards one token: the policy must learn to write it, within a few steps and without
// demonstrations.
func TestGRPOFindsTheReward(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	h := grpo.DefaultHyper()
	h.LearningRate = 1e-2
	var first, last grpo.Metrics
	for step := range uint64(30) {
		m, err := p.GRPOStep(rollout(t, p, step, 6, 8), h)
		if err != nil {
			t.Fatal(err)
		}
		if m.LogprobGap > 1e-4 || m.GapTokens == 0 {
			t.Errorf("step %d: %d tokens compared, sampler and trainer differ by %v", step, m.GapTokens, m.LogprobGap)
		}
		if step == 0 {
			first = m
		}
		last = m
		p.Publish()
	}
	t.Logf("reward %.2f, then %.2f; entropy %.2f, then %.2f", first.RewardMean, last.RewardMean, first.Entropy,
		last.Entropy)
	if last.RewardMean < first.RewardMean+0.5 {
		t.Errorf("the reward went from %.2f to %.2f", first.RewardMean, last.RewardMean)
	}
	if last.Entropy >= first.Entropy {
		t.Errorf("entropy went from %.2f to %.2f though one answer is best", first.Entropy, last.Entropy)
	}
}

// TestGRPOTerms checks the effect of each part of the objective on the policy.
func TestGRPOTerms(t *testing.T) {
	t.Run("the entropy bonus raises entropy", func(t *testing.T) {
		p := newTestPolicy(t, smallConfig(), 1)
		h := grpo.Hyper{LearningRate: 1e-2, ClipLow: 0.2, ClipHigh: 0.28, Entropy: 1, KeepZeroVariance: true}
		before, after := entropyAfter(t, p, h)
		if after <= before {
			t.Errorf("entropy went from %v to %v", before, after)
		}
	})
	t.Run("the KL penalty pulls back to the reference", func(t *testing.T) {
		p := newTestPolicy(t, smallConfig(), 1)
		p.FreezeReference()
		for range 5 { // move away from the reference
			if _, err := p.SFTStep(copyRows(rand.New(rand.NewPCG(1, 1)), 24), 1e-2); err != nil {
				t.Fatal(err)
			}
		}
		p.ResetOptimizer()
		p.Publish()
		h := grpo.Hyper{LearningRate: 3e-3, ClipLow: 0.2, ClipHigh: 0.28, KL: 1, KeepZeroVariance: true}
		var first, last float64
		for step := range uint64(20) {
			samples := flat(rollout(t, p, step, 4, 4))
			m, err := p.GRPOStep(samples, h)
			if err != nil {
				t.Fatal(err)
			}
			if step == 0 {
				first = m.KL
			}
			last = m.KL
			p.Publish()
		}
		t.Logf("the divergence went from %.3f to %.3f nats", first, last)
		if first <= 0 || last > first/2 {
			t.Errorf("the divergence went from %v to %v", first, last)
		}
	})
}

// flat gives all samples the same reward, so that only regularizers act.
func flat(samples []Sample) []Sample {
	for i := range samples {
		samples[i].Reward = 0.5
	}
	return samples
}

func entropyAfter(t *testing.T, p *Policy, h grpo.Hyper) (before, after float64) {
	for step := range uint64(10) {
		m, err := p.GRPOStep(flat(rollout(t, p, step, 4, 4)), h)
		if err != nil {
			t.Fatal(err)
		}
		if step == 0 {
			before = m.Entropy
		}
		after = m.Entropy
		p.Publish()
	}
	return before, after
}

// TestMiniBatches counts updates and clipped tokens: clipping requires that the weights changed within the step.
func TestMiniBatches(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	samples := rollout(t, p, 1, 4, 4)
	h := grpo.Hyper{LearningRate: 2e-2, ClipLow: 0.1, ClipHigh: 0.1, MiniBatch: 6, Epochs: 2}
	m, err := p.GRPOStep(samples, h)
	if err != nil {
		t.Fatal(err)
	}
	updates := 2 * ((m.Used + 5) / 6)
	if m.Updates != updates || p.Updates() != updates {
		t.Errorf("%d updates reported, the optimiser counts %d, want %d of %d samples", m.Updates, p.Updates(), updates,
			m.Used)
	}
	if m.ClipFraction == 0 {
		t.Error("nothing was clipped though the weights moved between updates")
	}
	if m.LogprobGap > 1e-5 || m.GapTokens == 0 || m.GapTokens >= m.Tokens/2 {
		t.Errorf("gap %v over %d of %d tokens: only the first update sees what its own weights sampled", m.LogprobGap,
			m.GapTokens, m.Tokens)
	}
}

// TestMaskedSamplesAreNotTrained compares a batch with masked samples of arbitrary content to the batch without them.
func TestMaskedSamplesAreNotTrained(t *testing.T) {
	with, without := newTestPolicy(t, smallConfig(), 1), newTestPolicy(t, smallConfig(), 1)
	samples := rollout(t, with, 1, 4, 4)
	masked := []Sample{{Outcome: grpo.Outcome{Group: "a", Reward: math.NaN(), Masked: true},
		Rows: []Row{{IDs: []int32{99}}}}}
	masked = append(masked, samples...)
	if _, err := with.GRPOStep(masked, grpo.DefaultHyper()); err != nil {
		t.Fatal(err)
	}
	if _, err := without.GRPOStep(samples, grpo.DefaultHyper()); err != nil {
		t.Fatal(err)
	}
	if with.Digest() != without.Digest() {
		t.Error("a masked sample changed the update")
	}
}

// TestRowsOfAnEpisodeShareItsAdvantage splits an episode into two rows: its group must count one reward.
func TestRowsOfAnEpisodeShareItsAdvantage(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	samples := rollout(t, p, 1, 1, 4)
	samples[0].Rows = append(samples[0].Rows, samples[1].Rows...)
	m, err := p.GRPOStep(samples, grpo.DefaultHyper())
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, s := range samples {
		want += trainedTokens(s.Rows)
	}
	if m.Samples != 4 || m.Tokens != want {
		t.Errorf("%d samples with %d tokens, want 4 with %d", m.Samples, m.Tokens, want)
	}
}

func TestNoSignalChangesNothing(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	before := p.Digest()
	m, err := p.GRPOStep(flat(rollout(t, p, 1, 2, 4)), grpo.DefaultHyper())
	if err != nil {
		t.Fatal(err)
	}
	if m.Updates != 0 || m.ZeroVarianceGroups != 2 || p.Digest() != before {
		t.Errorf("%d updates with %d groups without variance", m.Updates, m.ZeroVarianceGroups)
	}
	if p.Publish().Version != 0 {
		t.Error("a version was published though nothing changed")
	}
}

// TestFailedStepChangesNothing breaks the gradient at the first update and, with a learning rate that overflows, at a
// later one.
func TestFailedStepChangesNothing(t *testing.T) {
	check := func(t *testing.T, p *Policy, step func() error) {
		t.Helper()
		before, version := p.Digest(), p.Publish().Version
		var nonFinite *NonFiniteGradientError
		if err := step(); !errors.As(err, &nonFinite) || nonFinite.Tensor == "" {
			t.Errorf("got error %v, want a gradient that is not finite and its tensor", err)
		}
		if p.Digest() != before || p.Publish().Version != version {
			t.Error("the failed step changed the policy")
		}
	}
	rows := copyRows(rand.New(rand.NewPCG(1, 1)), 4)
	t.Run("cloning", func(t *testing.T) {
		p := newTestPolicy(t, smallConfig(), 1)
		p.trained.weights[p.trained.layout.norm] = float32(math.Inf(1))
		check(t, p, func() error { _, err := p.SFTStep(rows, 1e-3); return err })
	})
	t.Run("GRPO, second update", func(t *testing.T) {
		p := newTestPolicy(t, smallConfig(), 1)
		samples := rollout(t, p, 1, 4, 4)
		h := grpo.Hyper{LearningRate: 1e38, ClipLow: 0.2, ClipHigh: 0.2, Epochs: 3}
		check(t, p, func() error { _, err := p.GRPOStep(samples, h); return err })
	})
}

func TestTrainingErrors(t *testing.T) {
	p := newTestPolicy(t, smallConfig(), 1)
	row := func(change func(*Row)) []Row {
		r := Row{IDs: []int32{3, 4, 5}, Trained: []bool{false, true, true}, Logprobs: []float32{0, -1, -1}}
		change(&r)
		return []Row{{IDs: []int32{3, 4}, Trained: []bool{false, true}, Logprobs: []float32{0, -1}}, r}
	}
	sampled := func(change func(*Row)) error {
		_, err := p.GRPOStep([]Sample{{Rows: row(change)}}, grpo.DefaultHyper())
		return err
	}
	cloned := func(change func(*Row)) error {
		_, err := p.SFTStep(row(change), 1e-3)
		return err
	}
	noReference := grpo.DefaultHyper()
	noReference.KL = 0.1
	_, klErr := p.GRPOStep(nil, noReference)
	_, rewardErr := p.GRPOStep([]Sample{{}, {Outcome: grpo.Outcome{Reward: math.Inf(1)}}}, grpo.DefaultHyper())
	_, nothingErr := p.SFTStep([]Row{{IDs: []int32{3, 4}, Trained: make([]bool, 2)}}, 1e-3)
	_, shapeErr := New(Config{}, 1, Options{})
	_, optimiserErr := New(smallConfig(), 1, Options{Optimizer: AdamW{Beta1: 2}})
	tests := map[string]error{
		"row 1: it has 1 tokens":                               cloned(func(r *Row) { r.IDs = r.IDs[:1] }),
		"row 1: it has 33 tokens, there must be between 2 and": cloned(func(r *Row) { r.IDs = make([]int32, 33) }),
		"row 1: its training mask has 2 entries for 3":         cloned(func(r *Row) { r.Trained = r.Trained[:2] }),
		"row 1: its first token is marked as trained":          cloned(func(r *Row) { r.Trained[0] = true }),
		"row 1: token 2 has id 12":                             cloned(func(r *Row) { r.IDs[2] = 12 }),
		"none of the 1 rows has a trained token":               nothingErr,
		"sample 0, row 1: it has 2 temperatures for 3":         sampled(func(r *Row) { r.Temperatures = make([]float32, 2) }),
		"sample 0, row 1: the temperature of token 1 is 0":     sampled(func(r *Row) { r.Temperatures = make([]float32, 3) }),
		"sample 0, row 1: it has 0 logprobs for 3":             sampled(func(r *Row) { r.Logprobs = nil }),
		"sample 0, row 1: the logprob of token 2 is NaN":       sampled(func(r *Row) { r.Logprobs[2] = float32(math.NaN()) }),
		"sample 0, row 1: the logprob of token 1 is 1":         sampled(func(r *Row) { r.Logprobs[1] = 1 }),
		"sample 1: the reward is +Inf":                         rewardErr,
		"call FreezeReference first":                           klErr,
		"the vocabulary is 0":                                  shapeErr,
		"beta1 2":                                              optimiserErr,
	}
	for want, err := range tests {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// TestShardsAddUp compares the gradient of a large batch, cut into micro-batches and shards, with the sum over its rows.
func TestShardsAddUp(t *testing.T) {
	c := smallConfig()
	c.MaxLen = 300
	m := newModel(c, 1)
	r := rand.New(rand.NewPCG(3, 3))
	lengths := []int{2, 280, 3}
	for range 120 {
		lengths = append(lengths, 2+r.IntN(30))
	}
	rows := randomRows(r, c.Vocab, lengths...)
	rows[5].Trained = make([]bool, len(rows[5].IDs)) // no trained token
	loss := func(_ int, _, _, dLogprobs, dEntropies []float32) {
		for i := range dLogprobs {
			dLogprobs[i], dEntropies[i] = 1, 0.1
		}
	}
	var s shards
	together := append([]float32(nil), s.gradient(m, rows, loss)...)
	sum := make([]float64, len(together))
	for _, row := range rows {
		for i, g := range s.gradient(m, []Row{row}, loss) {
			sum[i] += float64(g)
		}
	}
	var difference, norm float64
	for i, g := range sum {
		difference += (g - float64(together[i])) * (g - float64(together[i]))
		norm += g * g
	}
	t.Logf("%d micro-batches, relative difference %.1e", len(microBatches(rows)), math.Sqrt(difference/norm))
	if math.Sqrt(difference/norm) > 1e-5 {
		t.Errorf("the gradients differ by %.1e of their norm", math.Sqrt(difference/norm))
	}
}

// TestAdamW compares the optimizer with the published equations in float64: clipping, bias correction, and decay
// except on norms.
func TestAdamW(t *testing.T) {
	settings := AdamW{Beta1: 0.8, Beta2: 0.9, Epsilon: 1e-6, WeightDecay: 0.1, MaxGradNorm: 2}
	m := newModel(smallConfig(), 1)
	o := newOptimiser(settings, m.layout.size)
	want := make([]float64, m.layout.size)
	for i, w := range m.weights {
		want[i] = float64(w)
	}
	decays := make([]bool, len(want))
	for _, tensor := range m.layout.tensors {
		for i := range tensor.size() {
			decays[tensor.offset+i] = !strings.HasSuffix(tensor.name, "norm.weight")
		}
	}
	first, second := make([]float64, len(want)), make([]float64, len(want))
	r := rand.New(rand.NewPCG(1, 1))
	const rate = 0.01
	for step := 1; step <= 5; step++ {
		gradient := make([]float32, len(want))
		square := 0.0
		for i := range gradient {
			gradient[i] = float32(r.NormFloat64()) * float32(step) * 0.02 // clipped from about step 2 on
			square += float64(gradient[i]) * float64(gradient[i])
		}
		norm, err := o.apply(m, gradient, rate)
		if err != nil || math.Abs(norm-math.Sqrt(square)) > 1e-6 {
			t.Fatalf("norm %v, error %v, want %v", norm, err, math.Sqrt(square))
		}
		for i, g := range gradient {
			clipped := float64(g) * math.Min(1, settings.MaxGradNorm/norm)
			first[i] = 0.8*first[i] + 0.2*clipped
			second[i] = 0.9*second[i] + 0.1*clipped*clipped
			update := first[i] / (1 - math.Pow(0.8, float64(step))) / (math.Sqrt(second[i]/(1-math.Pow(0.9, float64(step)))) +
				1e-6)
			if decays[i] {
				update += 0.1 * want[i]
			}
			want[i] -= rate * update
		}
	}
	for i, w := range want {
		if math.Abs(float64(m.weights[i])-w) > 1e-5 {
			t.Fatalf("weight %d is %v, want %v", i, m.weights[i], w)
		}
	}
}
