package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
)

// Start is the checkpoint of another run from which the policy starts.
type Start struct {
	runstore.PolicyRun
	Adapter string          // type of the adapter that wrote it; empty: it was checked when this run began
	Model   json.RawMessage // recorded block of the model that was trained; nil: the adapter's own
}

// StartOf returns the checkpoint from which the policy of a train block starts according to the spec, as RUN@step, or
// an empty string. The train block that it comes from must have finished. startOf returns the start of that block's
// policy.
func StartOf(ctx context.Context, in Inputs, startOf func(Inputs) (*Start, error)) (string, error) {
	train, _ := chooseTrain(in)
	if train == nil || train.Start == "" {
		return "", nil // Make reports unknown train blocks
	}
	in.Train, in.New, in.Steps, in.Start, in.Probe = train.Start, false, 0, nil, ""
	var err error
	if in.Start, err = startOf(in); err != nil {
		return "", err
	}
	p, problems := Make(ctx, in)
	defer p.Close()
	switch {
	case problems.HasErrors():
		return "", problems
	case p.Mode != event.ModeNoOp:
		return "", fmt.Errorf("train.%s starts from the checkpoint of train.%s, which has not finished (%s): train it "+
			"first, with --train %s", train.Name, train.Start, p.Why, train.Start)
	}
	return fmt.Sprintf("%s@%d", p.Existing.Ref(), p.Existing.Step), nil
}

// identity distinguishes starting checkpoints by their content, or by their run if the adapter reports no digest.
func (s *Start) identity() string {
	if s == nil {
		return ""
	}
	return cmp.Or(s.Digest, fmt.Sprintf("%s@%d", s.ID, s.Step))
}

// startFrom starts the policy from a checkpoint, if the first stage's adapter can load it.
func (p *Plan) startFrom(start *Start) diag.Diagnostics {
	p.Start = start
	first := p.Train.Stages[0]
	adapter := p.Spec.Blocks[first.Adapter]
	from := fmt.Sprintf("step %d of %s", start.Step, start.Run)
	switch {
	case start.Adapter == "":
		return nil
	case p.Spec.Blocks[first.Adapter] != nil && adapter.Type != start.Adapter:
		return p.refuse(first, []string{"adapter"}, "Checkpoint of another adapter", fmt.Sprintf("Adapter %q wrote "+
			"the checkpoint of %s, and only it can load that checkpoint. To train it with adapter %q, export it with "+
			"`awhost export %s/step-%d --out DIRECTORY`, and name the directory as the path of the model, if the adapter "+
			"trains models of transformers.", start.Adapter, from, adapter.Type, start.Run, start.Step))
	}
	var now struct {
		Blocks map[string]json.RawMessage `json:"blocks"`
	}
	if err := json.Unmarshal(p.Spec.Resolved(), &now); err != nil {
		return problem("Cannot plan the run", err.Error())
	}
	if was, is := compact(start.Model), compact(now.Blocks[p.Train.Policy]); was != is {
		return p.refuse(first, []string{"adapter"}, "Checkpoint of another model", fmt.Sprintf("The policy of %s is "+
			"trained from %s, but the policy of this train block is %s. Use the same model block for both runs.", from,
			cmp.Or(was, "the adapter's own model"), cmp.Or(is, "the adapter's own model")))
	}
	return nil
}

// compact returns a JSON document without white space, with sorted keys.
func compact(text json.RawMessage) string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return ""
	}
	return encoded(value)
}

func (p *Plan) startNotes() []string {
	if p.Start == nil {
		return nil
	}
	return []string{fmt.Sprintf("the policy starts from step %d of %s; a warm start is skipped", p.Start.Step,
		p.Start.Run)}
}
