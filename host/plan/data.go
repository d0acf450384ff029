package plan

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
)

// open reads an entire dataset, so that a bad row is detected now rather than hours later.
func (p *Plan) open(ctx context.Context, in Inputs, b *spec.Block) diag.Diagnostics {
	if p.Data[b.Address] != nil {
		return nil // another dataset is derived from it
	}
	config, err := dataset.Decode(b.Type, b.Config)
	if err != nil {
		return explainData(in, b, config, err)
	}
	d, err := p.openData(ctx, in, config)
	if err != nil {
		return explainData(in, b, config, err)
	}
	if d == nil {
		return nil
	}
	p.Data[b.Address] = d
	p.notes = append(p.notes, b.Notes...)
	return p.checkOverlap(in, b, config)
}

// openData opens a dataset after opening its sources. It returns nil without an error if a source has a problem, which
// is reported at the source's own block.
func (p *Plan) openData(ctx context.Context, in Inputs, config dataset.Config) (*dataset.Dataset, error) {
	addresses := config.Sources()
	switch {
	case config.Type == dataset.TypeEnvironment && config.Pin:
		located, err := in.Prepared.Locate(config)
		if err != nil {
			return nil, err
		}
		return dataset.Collect(ctx, located, dataset.Kept(located.Files[0]))
	case config.Type == dataset.TypeEnvironment:
		return p.collect(ctx, in, config)
	case len(addresses) == 0:
		located, err := in.Prepared.Locate(config)
		if err != nil {
			return nil, err
		}
		return dataset.Open(located)
	}
	sources := make([]*dataset.Dataset, len(addresses))
	for i, address := range addresses {
		if p.open(ctx, in, in.Spec.Blocks[address]).HasErrors() || p.Data[address] == nil {
			return nil, nil
		}
		sources[i] = p.Data[address]
	}
	return dataset.Derive(config, sources)
}

// checkOverlap rejects training on held-out tasks: two blocks that split the same dataset must split it in the same
// way.
func (p *Plan) checkOverlap(in Inputs, b *spec.Block, config dataset.Config) diag.Diagnostics {
	for _, address := range in.Spec.Reachable(p.Train.Name) {
		if p.Data[address] == nil {
			continue
		}
		other, err := dataset.Decode(in.Spec.Blocks[address].Type, in.Spec.Blocks[address].Config)
		if err == nil && config.Overlaps(other) {
			return diag.Diagnostics{in.Spec.Diagnose(b.Places, []string{"fraction"}, diag.Diagnostic{
				Severity: diag.Error, Summary: "Splits that overlap",
				Detail: fmt.Sprintf("%s divides %s with fraction = %v and seed = %d, and %s with fraction = %v and seed = %d: tasks held out by one would be trained on by the other. Give both the same.",
					address, other.Dataset, other.Fraction, other.Seed, b.Address, config.Fraction, config.Seed),
			})}
		}
	}
	return nil
}

func explainData(in Inputs, b *spec.Block, config dataset.Config, err error) diag.Diagnostics {
	at := func(path []string, summary string) diag.Diagnostics {
		return diag.Diagnostics{in.Spec.Diagnose(b.Places, path,
			diag.Diagnostic{Severity: diag.Error, Summary: summary, Detail: err.Error()})}
	}
	var wrong *dataset.ConfigError
	var rows *dataset.RowsError
	var block blockError
	var missing *prepared.NotPreparedError
	switch {
	case errors.As(err, &missing):
		return at([]string{config.Origin()}, "Dataset not prepared")
	case errors.As(err, &block):
		return diag.Diagnostics(block)
	case errors.As(err, &wrong):
		return at(wrong.Attribute, "Wrong dataset")
	case errors.As(err, &rows):
		if attribute := rows.Attribute(); len(attribute) > 0 {
			return at(attribute, "Rows that do not suit the dataset block")
		}
		return at([]string{config.Origin()}, "Bad rows in a dataset")
	}
	return at([]string{config.Origin()}, "Unreadable dataset")
}
