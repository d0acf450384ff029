package bfclenv

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/fit"
	"github.com/awhost/awhost/sdk"
)

// Tasks implements sdk.EnvironmentWithTasks. It lists the tasks by category, in data order.
func (e *environment) Tasks(ctx context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	if split != sdk.SplitTrain && split != sdk.SplitValidation {
		return fmt.Errorf("list tasks: unknown split %q: want %s or %s", split, sdk.SplitTrain, sdk.SplitValidation)
	}
	chosen := e.split(split)
	if cursor < 0 {
		return fmt.Errorf("list tasks: the cursor is %d: it counts from 0", cursor)
	}
	for _, one := range chosen[min(cursor, len(chosen)):] {
		if err := ctx.Err(); err != nil {
			return err
		}
		task, err := taskOf(one)
		if err != nil {
			return err
		}
		if !yield(task) {
			return nil
		}
	}
	return nil
}

// split returns the entries in a split: a fraction of each category, chosen by a digest of the seed and ID, so that it
// does not depend on the order or release of the data.
func (e *environment) split(split sdk.Split) []*entry.Entry {
	if e.config.HeldOut == 0 {
		return e.data.Entries
	}
	var out []*entry.Entry
	for _, category := range data.Categories {
		var all []*entry.Entry
		for _, one := range e.data.Entries {
			if one.Category == category {
				all = append(all, one)
			}
		}
		held := e.heldOut(all)
		for _, one := range all {
			if held[one.ID] == (split == sdk.SplitValidation) {
				out = append(out, one)
			}
		}
	}
	return out
}

func (e *environment) heldOut(all []*entry.Entry) map[string]bool {
	ranked := slices.Clone(all)
	slices.SortFunc(ranked, func(a, b *entry.Entry) int {
		return strings.Compare(rank(e.config.SplitSeed, a.ID), rank(e.config.SplitSeed, b.ID))
	})
	out := map[string]bool{}
	for _, one := range ranked[:int(float64(len(ranked))*e.config.HeldOut+0.5)] {
		out[one.ID] = true
	}
	return out
}

func rank(seed int64, id string) string {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, uint64(seed)), id...))
	return string(sum[:])
}

// public is the public part of a task. The question is only informative, because the environment asks it.
type public struct {
	Prompt   string   `json:"prompt"`
	Category string   `json:"category"`
	Classes  []string `json:"involved_classes"`
	Turns    int      `json:"turns"`
}

func taskOf(one *entry.Entry) (sdk.Task, error) {
	shown, err := json.Marshal(public{Prompt: strings.Join(one.Questions[0], "\n"), Category: one.Category,
		Classes: one.Classes, Turns: len(one.Questions)})
	if err != nil {
		return sdk.Task{}, fmt.Errorf("list task %s: %w", one.ID, err)
	}
	private, err := json.Marshal(map[string]any{"ground_truth": one.Truth})
	if err != nil {
		return sdk.Task{}, fmt.Errorf("list task %s: %w", one.ID, err)
	}
	return sdk.Task{ID: one.ID, Public: shown, Private: private}, nil
}

// asked holds the fields in which a task may name its entry: its id, or EnvTuning's columns.
type asked struct {
	ID    string `json:"id"`
	Extra struct {
		OriginalID string `json:"original_id"`
		Arguments  struct {
			ID string `json:"id"`
		} `json:"interaction_kwargs"`
	} `json:"extra_info"`
}

// origin is the source of an entry that is run.
type origin string

const (
	fromRow    origin = "row"    // the task itself, if it has all of EnvTuning's columns
	fromSource origin = "source" // the data that the block names
)

// entryOf returns the entry for a task: the task itself if it has all of EnvTuning's columns, or otherwise the entry
// with its ID in the data.
func (e *environment) entryOf(task sdk.Task) (*entry.Entry, origin, error) {
	one, ok, err := entryOfRow(task)
	if ok || err != nil {
		if err == nil && one.LongContext() && e.data.Tables == nil {
			err = fmt.Errorf("task %s needs the constants of long contexts: add long_context to categories", one.ID)
		}
		if err == nil {
			one.Shorten(e.config.Turns)
		}
		return one, fromRow, err
	}
	var a asked
	for _, part := range []json.RawMessage{task.Public, task.Private} {
		if len(part) == 0 {
			continue
		}
		if err := json.Unmarshal(part, &a); err != nil {
			return nil, fromSource, fmt.Errorf("read the task: %w", err)
		}
	}
	for _, id := range []string{task.ID, a.ID, a.Extra.Arguments.ID, a.Extra.OriginalID} {
		if one := e.byID[id]; one != nil {
			return one, fromSource, nil
		}
	}
	return nil, fromSource, fmt.Errorf("task %q is no entry of the data in %s: it has %d, such as %s; its categories are %s",
		task.ID, e.config.Source, len(e.data.Entries), e.data.Entries[0].ID, strings.Join(e.config.Categories, ", "))
}

// solvable returns an error if a model cannot solve the entry in a row. The source's entries were checked when it was
// opened.
func (e *environment) solvable(one *entry.Entry) error {
	if e.config.RaisingTasks == raisingPlay {
		return nil
	}
	if _, turn, raises := fit.Truth(one, profiles[e.config.Profile], e.data.Tables); raises {
		return fmt.Errorf(`task %s cannot be solved with profile %q: the ground truth of its turn %d raises an exception. Take the row out, or set raising_tasks = "play" if that is meant`,
			one.ID, e.config.Profile, turn)
	}
	return nil
}
