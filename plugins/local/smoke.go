package local

import (
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// smokeWarmStart is how many updates, of how many demonstrations, a warm start has in a smoke run: that all demonstrations
// can be imitated shows when they are read.
const smokeWarmStart = 2

// smoke makes a smoke run small. The context stays: prompts and answers have to fit.
func smoke(c config, model tinylm.Config) (config, tinylm.Config) {
	tiny := tinylm.Tiny()
	tiny.MaxLen = model.MaxLen
	c.Preset = "tiny"
	if c.WarmStart != nil {
		short := *c.WarmStart
		short.Steps, short.Batch = min(short.Steps, smokeWarmStart), min(short.Batch, smokeWarmStart)
		c.WarmStart = &short
	}
	return c, tiny
}

// scripted are the ids that sampling the message of a smoke run's script would give; nil: it is sampled.
func scripted(req sdk.GenerateRequest) ([]int32, error) {
	if req.Scripted == nil {
		return nil, nil
	}
	message, err := tokenMessage(*req.Scripted)
	if err != nil {
		return nil, fmt.Errorf("encode the scripted message: %w", err)
	}
	ids, err := tokenizer.AppendMessage(nil, message)
	if err != nil {
		return nil, fmt.Errorf("encode the scripted message: %w", err)
	}
	return ids[1:], nil // its header is in the prompt
}
