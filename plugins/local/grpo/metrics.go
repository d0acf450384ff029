package grpo

// Metrics describe one GRPO step. Where the step made several updates, losses, entropy, KL and clip fraction are means
// over all tokens that were trained, and the gradient norm is the mean over the updates.
type Metrics struct {
	BatchStats

	Loss         float64 // the negative objective, KL penalty and entropy bonus included
	LearningRate float64
	Entropy      float64 // nats per trained token, of the distribution at the temperature of sampling
	KL           float64 // k3 estimate per trained token; 0 without a KL coefficient
	ClipFraction float64 // share of the trained tokens whose ratio was clipped
	GradNorm     float64 // before clipping

	// LogprobGap is the largest difference between the logprob recorded at sampling and the same token's under the
	// weights in training, over the tokens that these very weights sampled. It is 0 when sampler and trainer agree.
	LogprobGap float64
	GapTokens  int // how many tokens were compared

	Tokens  int // trained, counted once per pass
	Updates int // optimiser updates; 0 when no sample carried a signal
}

// Update is what a single optimiser update adds to the metrics: sums over its tokens, weighted losses.
type Update struct {
	Tokens     int
	Loss       float64
	EntropySum float64
	KLSum      float64
	Clipped    int
	GradNorm   float64
}

// Add folds one update into the metrics. Call Finish after the last.
func (m *Metrics) Add(u Update) {
	m.Updates++
	m.Tokens += u.Tokens
	m.Loss += u.Loss * float64(u.Tokens)
	m.Entropy += u.EntropySum
	m.KL += u.KLSum
	m.ClipFraction += float64(u.Clipped)
	m.GradNorm += u.GradNorm
}

// Finish turns the sums of Add into means.
func (m *Metrics) Finish() {
	tokens := float64(max(1, m.Tokens))
	m.Loss /= tokens
	m.Entropy /= tokens
	m.KL /= tokens
	m.ClipFraction /= tokens
	m.GradNorm /= float64(max(1, m.Updates))
}
