package runstore

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal"
)

// AppendFinding records that a finding holds in a step.
func (w *Writer) AppendFinding(ctx context.Context, finding FindingRecord) error {
	return w.stopped(ctx, w.write(ctx, TypeFinding, finding))
}

// Findings returns the lineage's findings as of the last step before end in which they held, in the order in which they
// were found. Interrupted steps do not count.
func (r *Run) Findings(end int) ([]event.Finding, error) {
	h, err := r.history()
	if err != nil {
		return nil, fmt.Errorf("read findings of run %s: %w", r.Ref(), err)
	}
	var out []event.Finding
	places := map[string]int{}
	for record, err := range r.Records(journal.Position{}, TypeFinding) {
		if err == nil {
			err = decoded(record, func(f FindingRecord) {
				place, known := places[f.Key()]
				switch {
				case f.Last >= end || h.rolledBack(record.Seq, f.Last):
				case known:
					out[place] = f.Finding
				default:
					places[f.Key()] = len(out)
					out = append(out, f.Finding)
				}
			})
		}
		if err != nil {
			return nil, fmt.Errorf("read findings of run %s: %w", r.Ref(), err)
		}
	}
	return out, nil
}
