package local

import (
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// smokeWarmStart limits the number of updates, and of demonstrations per update, in a smoke run's warm start. Reading
// the dataset already checks that all demonstrations can be imitated.
const smokeWarmStart = 2

// smoke reduces the configuration for a smoke run. The context is not reduced, because prompts and responses have to
// fit.
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

// scripted returns the IDs of the message in a smoke run's script, or nil if the message is to be sampled.
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
	return ids[1:], nil // the prompt contains its header
}
