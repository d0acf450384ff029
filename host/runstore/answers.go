package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// answersFile has what served models said, in the form of the journal. It exists where one was asked.
const answersFile = "answers"

// kindAnswer is the one kind of its records.
const kindAnswer journal.Kind = 1

// Answers are what served models said in this run. An answer is on the disk before anybody hears it.
type Answers struct {
	journal *journal.Journal

	mu   sync.Mutex
	kept map[string]*sdk.GenerateResponse
}

// answerRecord is an answer and what was asked: the slot, the member, what was said before, and which time it was.
type answerRecord struct {
	Key          string           `json:"key"`
	Message      sdk.Message      `json:"message"`
	Finish       sdk.FinishReason `json:"finish"`
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	OutputTokens int              `json:"output_tokens,omitempty"`
}

// Answers opens the answers of the run; Close closes them.
func (w *Writer) Answers() (*Answers, error) {
	if w.answers != nil {
		return w.answers, nil
	}
	path := filepath.Join(w.Dir, answersFile)
	j, _, err := journal.Open(path, journal.Options{FS: w.fs(), Writer: w.store.program()})
	if err != nil {
		return nil, fmt.Errorf("open the kept answers of run %s: %w", w.Ref(), err)
	}
	a := &Answers{journal: j, kept: map[string]*sdk.GenerateResponse{}}
	w.answers = a
	for raw, err := range journal.Read(path, journal.ReadOptions{FS: w.fs()}) {
		var record answerRecord
		if err == nil {
			err = json.Unmarshal(raw.JSON, &record)
		}
		if err != nil {
			return nil, fmt.Errorf("read the kept answers of run %s: %w; without the file %s the run asks again, and pays "+
				"again", w.Ref(), err, path)
		}
		a.kept[record.Key] = &sdk.GenerateResponse{
			Message: record.Message, Finish: record.Finish, PromptTokens: record.PromptTokens, OutputTokens: record.OutputTokens,
		}
	}
	return a, nil
}

// Answer is what is kept under a key; nil: nothing.
func (a *Answers) Answer(key string) *sdk.GenerateResponse {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[key]
}

// Keep writes an answer down. It returns when that is durable.
func (a *Answers) Keep(key string, answer *sdk.GenerateResponse) error {
	ctx := context.Background()
	record := answerRecord{key, answer.Message, answer.Finish, answer.PromptTokens, answer.OutputTokens}
	if _, err := a.journal.Append(ctx, kindAnswer, record); err != nil {
		return fmt.Errorf("keep the answer of a served model: %w", err)
	}
	if err := a.journal.Sync(ctx); err != nil {
		return fmt.Errorf("keep the answer of a served model: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept[key] = answer
	return nil
}

func (a *Answers) close() error {
	if a == nil {
		return nil
	}
	return a.journal.Close()
}
