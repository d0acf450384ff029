package tinylm

import (
	"fmt"
	"slices"
)

// ModelFiles returns the files in a Hugging Face model directory, by name: the published weights and their shape,
// without the training state.
func (p *Policy) ModelFiles() (map[string][]byte, error) {
	m := p.Snapshot().model
	shape, err := encodeJSON(newLlamaConfig(p.cfg))
	if err != nil {
		return nil, fmt.Errorf("encode model shape: %w", err)
	}
	generation, err := encodeJSON(generationConfig{EosID: p.cfg.EndID, PadID: p.cfg.PadID, DoSample: true})
	if err != nil {
		return nil, fmt.Errorf("encode generation settings: %w", err)
	}
	weights, err := encodeSafetensors(m.layout, m.weights, map[string]string{formatKey: "pt"})
	if err != nil {
		return nil, fmt.Errorf("encode the weights: %w", err)
	}
	return map[string][]byte{configFile: shape, generationFile: generation, modelFile: weights}, nil
}

// Logits returns the scores of all tokens after ids, with the published weights: [Vocab], before any temperature. It
// makes it possible to compare this policy with other implementations of it.
func (p *Policy) Logits(ids []int32) ([]float32, error) {
	if len(ids) == 0 || len(ids) > p.cfg.MaxLen {
		return nil, fmt.Errorf("logits: there are %d tokens, but the window accepts 1 to %d", len(ids), p.cfg.MaxLen)
	}
	if err := p.cfg.checkIDs(ids); err != nil {
		return nil, fmt.Errorf("logits: %w", err)
	}
	s := newSession(p.cfg)
	s.model = p.Snapshot().model
	for i, id := range ids {
		s.feed(id, i == len(ids)-1)
	}
	return slices.Clone(s.logits), nil
}
