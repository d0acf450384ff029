package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// AppendEpisode records a finished episode and returns the hash of its record. From then on, a step may use the
// episode. It replaces an episode that was recorded under the same ID before the host reattached to the trainer:
// whether the chains scored by the earlier episode still exist is unknown, so the episode was drawn again.
func (w *Writer) AppendEpisode(ctx context.Context, episode EpisodeRecord) (string, error) {
	episode.Replaces = w.earlier(episode.EpisodeID)
	var err error
	if episode.Transcripts, err = w.keepAttachments(ctx, episode.Transcripts); err != nil {
		return "", w.stopped(ctx, err)
	}
	episode.UnsampledSteps = slices.Clone(episode.UnsampledSteps)
	for i, s := range episode.UnsampledSteps {
		kept, err := w.keepAttachments(ctx, []TranscriptPart{{Messages: s.Messages}})
		if err != nil {
			return "", w.stopped(ctx, err)
		}
		episode.UnsampledSteps[i].Messages = kept[0].Messages
	}
	raw, err := json.Marshal(episode)
	if err != nil {
		return "", fmt.Errorf("record episode %s: %w", episode.EpisodeID, err)
	}
	hash := hashRecord(raw)
	if err := w.claim(episode, hash); err != nil {
		return "", err
	}
	if err := w.writeRaw(ctx, TypeEpisode, raw); err != nil {
		return "", w.stopped(ctx, err)
	}
	return hash, nil
}

// earlier returns the record that a new one with the same id would replace, or an empty string.
func (w *Writer) earlier(id string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open[id].record
}

// claim makes the episode available for use. A canceled episode remains on record but can never be used.
func (w *Writer) claim(episode EpisodeRecord, hash string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if earlier, ok := w.open[episode.EpisodeID]; ok && earlier.life == w.life {
		return fmt.Errorf("record episode %s: an episode with this ID is already on record", episode.EpisodeID)
	}
	delete(w.open, episode.EpisodeID)
	if episode.Outcome != sdk.OutcomeCancelled {
		w.open[episode.EpisodeID] = openEpisode{
			slot: episode.Slot, record: hash, life: w.life, why: whyNot(&episode), reward: episode.Reward,
		}
	}
	return nil
}
