package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/diag"
)

// HeadTask is one of the first tasks of a dataset.
type HeadTask struct {
	Dataset string          `json:"dataset"` // address
	ID      string          `json:"id"`
	Place   string          `json:"place,omitempty"`   // file and line
	Public  json.RawMessage `json:"public"`            // an object that agents, environments, and rewards get
	Private json.RawMessage `json:"private,omitempty"` // an object that only rewards, and environments that need it, get
	// Private fields or columns that agents get, too, because `private` in their blocks names them.
	AgentPrivate []string `json:"agent_private,omitempty"`
}

// Head returns the first n tasks of a dataset that the train block uses or, without an address, of the datasets for
// training and validation. Like CheckData, it starts no plugin, except environments that list tasks.
func Head(ctx context.Context, in Inputs, address string, n int) (out []HeadTask, problems diag.Diagnostics) {
	p, problems := open(ctx, in)
	defer p.Close()
	if problems.HasErrors() {
		return nil, problems
	}
	addresses := []string{address}
	if address == "" {
		addresses = p.episodeData()
	} else if p.Data[address] == nil {
		return nil, problem("Unknown dataset", fmt.Sprintf("train %q does not use %q. It uses %s.", p.Train.Name, address,
			strings.Join(slices.Sorted(maps.Keys(p.Data)), ", ")))
	}
	revealed := map[string][]string{}
	for _, s := range p.Train.Stages {
		if actor, err := p.actor(s); err == nil { // the plan reports it
			for _, a := range actor.Agents() {
				revealed[s.Dataset] = append(revealed[s.Dataset], a.Body.Private...)
				revealed[s.Validation] = append(revealed[s.Validation], a.Body.Private...)
			}
		}
	}
	for _, name := range addresses {
		d := p.Data[name]
		for i := range min(n, d.Len()) {
			task, err := d.Task(i)
			if err != nil {
				return nil, problem("Unreadable dataset", err.Error())
			}
			out = append(out, HeadTask{
				Dataset: name, ID: task.ID, Public: task.Public, Private: task.Private, AgentPrivate: revealed[name],
				Place: strings.TrimPrefix(d.Place(i), p.Spec.Dir+string(filepath.Separator)),
			})
		}
	}
	return out, problems
}

// episodeData lists the datasets for training and validation of all stages.
func (p *Plan) episodeData() []string {
	var names []string
	for _, s := range p.Train.Stages {
		for _, name := range []string{s.Dataset, s.Validation} {
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
