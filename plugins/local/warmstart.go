package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/awhost/awhost/plugins/local/grpo"
	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

const (
	warmupSteps   = 20     // of the warm start's learning rate
	warmStartSeed = 0x7a51 // the stream of the warm start's draws
	maxDemos      = 100_000
)

// warmStart imitates demonstrations, so that the first rollouts already call tools.
func (t *trainer) warmStart(ctx context.Context, w warmStart) error {
	demos, err := t.demonstrations(ctx, w.Dataset)
	if err != nil {
		return err
	}
	schedule := grpo.Schedule{Peak: w.LearningRate, Shape: grpo.Hold, WarmupSteps: warmupSteps, TotalSteps: w.Steps}
	if err := schedule.Validate(); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(uint64(t.settings.seed), warmStartSeed))
	report := newProgress(w.Steps, func(done int) error { return t.phase("warm_start", t.request.FirstStep-1, done, w.Steps) })
	var last tinylm.SFTMetrics
	for step := 1; step <= w.Steps; step++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := make([]tinylm.Row, w.Batch)
		for i := range rows {
			rows[i] = demos[random.IntN(len(demos))]
		}
		if last, err = t.policy.SFTStep(rows, schedule.At(step)); err != nil {
			return err
		}
		if err := report.add(); err != nil {
			return err
		}
	}
	values := map[string]float64{"warm_start/loss": last.Loss, "warm_start/grad_norm": last.GradNorm, "warm_start/learning_rate": last.LearningRate}
	return t.emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: t.request.FirstStep - 1, Values: values}})
}

func (t *trainer) demonstrations(ctx context.Context, dataset string) ([]tinylm.Row, error) {
	var demos []tinylm.Row
	var bad error
	err := t.host.Tasks(ctx, sdk.TasksRequest{Dataset: dataset, Stage: t.request.Stage}, func(task sdk.Task) bool {
		row, err := demonstration(task, t.model.MaxLen)
		if err != nil {
			bad = fmt.Errorf("demonstration %s of %s: %w", task.ID, dataset, err)
			return false
		}
		demos = append(demos, row)
		return len(demos) < maxDemos
	})
	switch {
	case bad != nil:
		return nil, bad
	case err != nil:
		return nil, err
	case len(demos) == 0:
		return nil, fmt.Errorf("%s has no demonstrations", dataset)
	}
	return demos, nil
}

// demonstrationMessage is a message in OpenAI's chat format or in the SDK's.
type demonstrationMessage struct {
	sdk.Message
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Function  *struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func demonstration(task sdk.Task, maxLen int) (tinylm.Row, error) {
	var public struct {
		Messages []demonstrationMessage `json:"messages"`
	}
	if err := json.Unmarshal(task.Public, &public); err != nil {
		return tinylm.Row{}, fmt.Errorf("read its messages: %w", err)
	}
	var messages []tokenizer.Message
	for _, m := range public.Messages {
		out := tokenizer.Message{Role: tokenizer.Role(m.Role), Content: m.Content, Reasoning: m.Reasoning}
		for _, call := range m.ToolCalls {
			name, arguments := call.Name, call.Arguments
			if call.Function != nil {
				name, arguments = call.Function.Name, call.Function.Arguments
			}
			out.ToolCalls = append(out.ToolCalls, tokenizer.ToolCall{Name: name, Arguments: unquoted(arguments)})
		}
		messages = append(messages, out)
	}
	ids, trained, err := tokenizer.EncodeDemonstration(messages)
	if err != nil {
		return tinylm.Row{}, err
	}
	if len(ids) > maxLen {
		return tinylm.Row{}, fmt.Errorf("it has %d tokens and the context takes %d: raise `context` or shorten it", len(ids), maxLen)
	}
	for _, is := range trained {
		if is {
			return tinylm.Row{IDs: ids, Trained: trained}, nil
		}
	}
	return tinylm.Row{}, errors.New("no message is the assistant's: there is nothing to imitate")
}

// unquoted returns arguments as JSON text: OpenAI's format has them inside a string.
func unquoted(arguments json.RawMessage) string {
	var text string
	if err := json.Unmarshal(arguments, &text); err == nil {
		return text
	}
	return string(arguments)
}
