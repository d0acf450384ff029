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

// Findings returns the lineage's findings as of their last steps, in the order in which they were found. Interrupted
// steps do not count.
func (r *Run) Findings() ([]event.Finding, error) {
	h, err := r.history()
	if err != nil {
		return nil, fmt.Errorf("read findings of run %s: %w", r.Ref(), err)
	}
	type key struct{ id, subject, stage string }
	var out []event.Finding
	places := map[key]int{}
	for record, err := range r.Records(journal.Position{}, TypeFinding) {
		if err == nil {
			err = decoded(record, func(f FindingRecord) {
				k := key{f.ID, f.Subject, f.Stage}
				place, known := places[k]
				switch {
				case h.rolledBack(record.Seq, f.Last):
				case known:
					out[place] = f.Finding
				default:
					places[k] = len(out)
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
