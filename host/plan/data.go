package plan

import (
	"errors"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
)

// open reads a dataset from its first to its last row, so that a bad row is found now and not hours later.
func (p *Plan) open(in Inputs, b *spec.Block) diag.Diagnostics {
	config, err := dataset.Decode(b.Type, b.Config)
	if err == nil {
		var d *dataset.Dataset
		if d, err = dataset.Open(config); err == nil {
			p.Data[b.Address] = d
			return nil
		}
	}
	at := func(path []string, summary, detail string) diag.Diagnostic {
		return in.Spec.Diagnose(b.Places, path, diag.Diagnostic{Severity: diag.Error, Summary: summary, Detail: detail})
	}
	var wrong *dataset.ConfigError
	var rows *dataset.RowsError
	switch {
	case errors.As(err, &wrong):
		return diag.Diagnostics{at(wrong.Attribute, "Wrong dataset", err.Error())}
	case errors.As(err, &rows):
		return diag.Diagnostics{at([]string{"path"}, "Bad rows in a dataset", err.Error())}
	}
	return diag.Diagnostics{at([]string{"path"}, "Unreadable dataset", err.Error())}
}
