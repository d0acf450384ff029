package runstore

import "context"

// These limits apply to recorded tokens, whatever a trainer sends.
const (
	mostTokenRows = 128      // of a step
	mostTokens    = 4096     // of a row
	mostTokenText = 200      // bytes, of a token
	mostTokenRun  = 64 << 20 // tokens, of a process
)

// tokenBudget counts the recorded tokens.
type tokenBudget struct{ step, rows, kept int }

// AppendTokens records token rows within the limits: the first rows of each step, and the first tokens of each row. It
// returns the number of omitted rows.
func (w *Writer) AppendTokens(ctx context.Context, rows []TokensRecord) (left int, err error) {
	for i, row := range rows {
		if !w.fitTokens(&row) {
			left++
			continue
		}
		if err := w.write(ctx, TypeTokens, row); err != nil {
			return left + len(rows) - i, w.stopped(ctx, err)
		}
	}
	return left, nil
}

// fitTokens truncates a row, and reports whether it fits within the limits.
func (w *Writer) fitTokens(row *TokensRecord) bool {
	row.Total = max(row.Total, len(row.IDs))
	row.cut(mostTokens)
	w.mu.Lock()
	defer w.mu.Unlock()
	if row.Step != w.tokens.step {
		w.tokens.step, w.tokens.rows = row.Step, 0
	}
	if w.tokens.rows >= mostTokenRows || w.tokens.kept+len(row.IDs) > mostTokenRun {
		return false
	}
	w.tokens.rows++
	w.tokens.kept += len(row.IDs)
	return true
}

// cut keeps the first tokens of a row. A list with another length than the ids is removed.
func (t *TokensRecord) cut(most int) {
	n, all := min(most, len(t.IDs)), len(t.IDs)
	t.IDs = t.IDs[:n]
	t.Texts, t.Trained = cutList(t.Texts, n, all), cutList(t.Trained, n, all)
	for i, text := range t.Texts {
		t.Texts[i] = text[:min(len(text), mostTokenText)]
	}
	t.SamplerLogprobs, t.TrainerLogprobs, t.Advantages =
		cutList(t.SamplerLogprobs, n, all), cutList(t.TrainerLogprobs, n, all), cutList(t.Advantages, n, all)
}

func cutList[L ~[]E, E any](list L, n, all int) L {
	if len(list) != all {
		return nil
	}
	return list[:n]
}
