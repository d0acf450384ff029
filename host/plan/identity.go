package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// identity is a digest of everything that the result depends on: what the spec means, which plugins serve it, the data,
// the protocol.
func (p *Plan) identity() (string, error) {
	type pluginContent struct{ Address, Hash string }
	type dataContent struct{ Address, Fingerprint string }
	content := struct {
		Format   int
		Spec     json.RawMessage
		Train    string
		Plugins  []pluginContent
		Data     []dataContent
		Protocol int
	}{Format: 1, Spec: p.Spec.Identity(p.Train.Name), Train: p.Train.Name, Protocol: sdk.ProtocolVersion}
	for _, c := range p.Components {
		content.Plugins = append(content.Plugins, pluginContent{c.Block.Address, c.Entry.Hash})
	}
	for address, d := range p.Data {
		content.Data = append(content.Data, dataContent{address, d.Fingerprint()})
	}
	slices.SortFunc(content.Data, func(a, b dataContent) int { return strings.Compare(a.Address, b.Address) })
	text, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("identify the run: %w", err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// decide says whether the run is new, goes on, or is done.
func (p *Plan) decide(in Inputs) error {
	p.Mode, p.Why = event.ModeNew, "no earlier run has this spec, these plugins and this data"
	if in.New {
		p.Why = "another run was asked for"
		return nil
	}
	if in.Store == nil {
		return nil
	}
	runs, err := in.Store.Find(p.Identity)
	if err != nil {
		return fmt.Errorf("look for earlier runs: %w", err)
	}
	for i := range runs {
		run := &runs[i]
		switch run.Status {
		case runstore.StatusFinished:
			p.Mode, p.Existing, p.Why = event.ModeNoOp, run, fmt.Sprintf("%s has finished with exactly this spec; --new starts another", run.Ref())
			return nil
		case runstore.StatusRunning:
			p.Mode, p.Existing, p.Why = event.ModeResume, run, fmt.Sprintf("%s is running: wait for its end, or stop it with awhost stop %s", run.Ref(), run.Ref())
			return nil
		case runstore.StatusInterrupted, runstore.StatusStopped, runstore.StatusFailed:
			p.Mode, p.Existing, p.Why = event.ModeResume, run, fmt.Sprintf("%s %s", run.Ref(), standing(run))
			return nil
		}
	}
	return nil
}

// standing says how far an unfinished run came.
func standing(run *runstore.Summary) string {
	if run.Step < 0 {
		return fmt.Sprintf("is %s before its first commit", run.Status)
	}
	return fmt.Sprintf("is %s at step %d", run.Status, run.Step)
}
