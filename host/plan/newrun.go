package plan

import (
	"maps"
	"slices"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// NewRun returns the data for creating a run from the plan, with the inputs to its identity, so that later readers can
// determine how two runs differ.
func (p *Plan) NewRun() runstore.NewRun {
	out := runstore.NewRun{
		Name: p.Train.Name, Identity: p.Identity, SpecPath: p.Spec.Path, Spec: p.Spec.Resolved(),
		Protocol: sdk.ProtocolVersion, Steps: p.total, Newest: p.newest,
	}
	if p.Start != nil {
		out.PolicyRun = &p.Start.PolicyRun
	}
	for _, c := range p.Components {
		out.Plugins = append(out.Plugins, runstore.UsedPlugin{
			Address: c.Block.Address, Plugin: c.Entry.Name, Version: c.Entry.Description.Version, Hash: c.Entry.Hash,
		})
	}
	for _, address := range slices.Sorted(maps.Keys(p.Data)) {
		d := p.Data[address]
		out.Data = append(out.Data, runstore.UsedData{Address: address, Tasks: d.Len(), Fingerprint: d.Fingerprint()})
	}
	return out
}
