package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// answersFile contains the responses of served models, in the journal's format. It exists if a served model was called.
const answersFile = "answers"

// kindAnswer is the only kind of its records.
const kindAnswer journal.Kind = 1

// Answers holds the responses of served models in this run. A response is on disk before it is returned. Only responses
// for steps that may be repeated are kept in memory, because responses for steps before the tip are not needed again.
type Answers struct {
	Damaged bool // the file has damaged answers, which are requested again

	journal *journal.Journal

	mu   sync.Mutex
	kept map[answerID]*sdk.GenerateResponse
}

// answerID consists of the step in the episode's slot and the engine's key.
type answerID struct {
	step int
	key  string
}

// answerRecord is a response together with the key of its request. The key covers the slot, the member, the previous
// messages, and the repeat.
type answerRecord struct {
	Key          string           `json:"key"`
	Step         int              `json:"step"`
	Message      sdk.Message      `json:"message"`
	Finish       sdk.FinishReason `json:"finish"`
	PromptTokens int              `json:"prompt_tokens,omitempty"`
	OutputTokens int              `json:"output_tokens,omitempty"`
}

// Answers opens the run's stored responses. Close closes them.
func (w *Writer) Answers() (*Answers, error) {
	if w.answers != nil {
		return w.answers, nil
	}
	path := filepath.Join(w.Dir, answersFile)
	j, found, err := journal.Open(path, journal.Options{FS: w.fs(), Writer: w.store.program(), SkipDamaged: true})
	if err != nil {
		return nil, fmt.Errorf("open saved answers for run %s: %w", w.Ref(), err)
	}
	a := &Answers{Damaged: found.Damaged, journal: j, kept: map[answerID]*sdk.GenerateResponse{}}
	w.mu.Lock()
	w.answers = a
	_, tip := w.tipLocked()
	w.mu.Unlock()
	for raw, err := range journal.Read(path, journal.ReadOptions{FS: w.fs(), SkipDamaged: true}) {
		var record answerRecord
		if err == nil {
			err = json.Unmarshal(raw.JSON, &record)
		}
		if err != nil {
			return nil, fmt.Errorf("read saved answers for run %s: %w; without the file %s, the run requests and "+
				"pays for the answers again", w.Ref(), err, path)
		}
		if record.Step < tip {
			continue
		}
		a.kept[answerID{record.Step, record.Key}] = &sdk.GenerateResponse{
			Message: record.Message, Finish: record.Finish, PromptTokens: record.PromptTokens, OutputTokens: record.OutputTokens,
		}
	}
	return a, nil
}

// Answer returns the answer stored under a key, or nil.
func (a *Answers) Answer(step int, key string) *sdk.GenerateResponse {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[answerID{step, key}]
}

// forget drops the responses for steps before the tip.
func (a *Answers) forget(tip int) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.kept, func(id answerID, _ *sdk.GenerateResponse) bool { return id.step < tip })
}

// Keep stores an answer. It returns when the response is durable.
func (a *Answers) Keep(step int, key string, answer *sdk.GenerateResponse) error {
	ctx := context.Background()
	record := answerRecord{key, step, answer.Message, answer.Finish, answer.PromptTokens, answer.OutputTokens}
	if _, err := a.journal.Append(ctx, kindAnswer, record); err != nil {
		return fmt.Errorf("keep the answer of a served model: %w", err)
	}
	if err := a.journal.Sync(ctx); err != nil {
		return fmt.Errorf("keep the answer of a served model: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept[answerID{step, key}] = answer
	return nil
}

func (a *Answers) close() error {
	if a == nil {
		return nil
	}
	return a.journal.Close()
}
