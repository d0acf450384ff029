package eval

import "github.com/awhost/awhost/host/rollout"

// records is the sink of every engine. It removes the spec's secrets from the plugins' messages about an episode, and
// notifies the sampler that the episode has ended.
type records struct {
	rollout.Sink
	sampler sampler
	redact  func(text string) string
}

// Call implements rollout.CallSink.
func (r records) Call(record *rollout.CallRecord) error {
	if keep, ok := r.Sink.(rollout.CallSink); ok {
		return keep.Call(record)
	}
	return nil
}

// Episode implements rollout.Sink.
func (r records) Episode(record *rollout.EpisodeRecord) error {
	r.sampler.release(record.EpisodeID)
	if record.Failure != nil {
		record.Failure.Detail = r.redact(record.Failure.Detail)
	}
	for i := range record.Scores {
		for name, note := range record.Scores[i].Notes {
			record.Scores[i].Notes[name] = r.redact(note)
		}
	}
	return r.Sink.Episode(record)
}

var _ rollout.CallSink = records{}
