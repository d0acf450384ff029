package grpo

// Metrics describes one GRPO step. If the step made several updates, the losses, entropy, KL and clip fraction are
// means over all trained tokens, and the gradient norm is the mean over the updates.
type Metrics struct {
	BatchStats

	Loss         float64 // the negative objective, including KL penalty and entropy bonus
	LearningRate float64
	Entropy      float64 // nats per trained token, at the sampling temperature
	KL           float64 // k3 estimate per trained token; 0 without a KL coefficient
	ClipFraction float64 // share of the trained tokens whose ratio was clipped
	GradNorm     float64 // before clipping

	// LogprobGap is the largest difference between a token's logprob at sampling and its logprob under the weights
	// being trained, over the tokens sampled with the same weights. It is 0 if the sampler and trainer agree.
	LogprobGap float64
	GapTokens  int // number of compared tokens

	Tokens  int // trained, counted once per pass
	Updates int // optimizer updates; 0 if no sample carried a signal
}

// Update is the contribution of one optimizer update to the metrics: sums over its tokens and weighted losses.
type Update struct {
	Tokens     int
	Loss       float64
	EntropySum float64
	KLSum      float64
	Clipped    int
	GradNorm   float64
}

// Add adds one update to the metrics. Call Finish after the last update.
func (m *Metrics) Add(u Update) {
	m.Updates++
	m.Tokens += u.Tokens
	m.Loss += u.Loss * float64(u.Tokens)
	m.Entropy += u.EntropySum
	m.KL += u.KLSum
	m.ClipFraction += float64(u.Clipped)
	m.GradNorm += u.GradNorm
}

// Finish converts the sums accumulated by Add to means.
func (m *Metrics) Finish() {
	tokens := float64(max(1, m.Tokens))
	m.Loss /= tokens
	m.Entropy /= tokens
	m.KL /= tokens
	m.ClipFraction /= tokens
	m.GradNorm /= float64(max(1, m.Updates))
}
