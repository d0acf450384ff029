package index

import (
	"encoding/json"

	"github.com/awhost/awhost/host/internal/jsonscan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// indexedEpisode holds the fields of a runstore.EpisodeRecord that the index uses.
type indexedEpisode struct {
	EpisodeID      string            `json:"episode_id"`
	Slot           runstore.Slot     `json:"slot"`
	Attempt        int               `json:"attempt"`
	TaskID         string            `json:"task_id"`
	Outcome        sdk.Outcome       `json:"outcome"`
	Reward         *float64          `json:"reward"`
	Notes          map[string]string `json:"notes"`
	IsSuccess      *bool             `json:"is_success"`
	Failure        *sdk.Failure      `json:"failure"`
	NumTurns       int               `json:"num_turns"`
	Transcripts    []indexedPart     `json:"transcripts"`
	UnsampledSteps []indexedPart     `json:"own_steps"`
	Members        []indexedMember   `json:"members"`
	FinalAnswer    string            `json:"final_answer"`
	OutputTokens   int               `json:"output_tokens"`
	Malformed      int               `json:"malformed_calls"`
	Timings        runstore.Timings  `json:"timings"`
	Replaces       string            `json:"replaces"`
}

type indexedMember struct {
	Agent string `json:"agent"`
}

type indexedPart struct {
	Agent    string           `json:"agent"`
	Messages []indexedMessage `json:"messages"`
}

type indexedMessage struct {
	Content   string        `json:"content"`
	Reasoning string        `json:"reasoning"`
	ToolCalls []indexedCall `json:"tool_calls"`
}

type indexedCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// read reads an episode's record. A record in a form that runstore would not write is decoded by encoding/json.
func (e *indexedEpisode) read(data []byte) error {
	if e.scan(jsonscan.New(data)) {
		return nil
	}
	*e = indexedEpisode{}
	return json.Unmarshal(data, e)
}

func (e *indexedEpisode) scan(s *jsonscan.Scanner) bool {
	s.Object(func(name []byte) {
		switch string(name) {
		case "episode_id":
			e.EpisodeID = s.Text()
		case "slot":
			e.Slot = scanSlot(s)
		case "attempt":
			e.Attempt = s.Int()
		case "task_id":
			e.TaskID = s.Text()
		case "outcome":
			e.Outcome = sdk.Outcome(s.Text())
		case "reward":
			e.Reward = pointer(s, s.Float)
		case "notes":
			e.Notes = map[string]string{}
			s.Object(func(name []byte) { e.Notes[string(name)] = s.Text() })
		case "is_success":
			e.IsSuccess = pointer(s, s.Bool)
		case "failure":
			e.Failure = scanFailure(s)
		case "num_turns":
			e.NumTurns = s.Int()
		case "transcripts":
			e.Transcripts = scanParts(s)
		case "own_steps":
			e.UnsampledSteps = scanParts(s)
		case "members":
			s.Array(func() { e.Members = append(e.Members, indexedMember{scanPart(s).Agent}) })
		case "final_answer":
			e.FinalAnswer = s.Text()
		case "output_tokens":
			e.OutputTokens = s.Int()
		case "malformed_calls":
			e.Malformed = s.Int()
		case "timings":
			e.Timings = scanTimings(s)
		case "replaces":
			e.Replaces = s.Text()
		default:
			s.Skip()
		}
	})
	return s.Done()
}

// pointer reads a value that may be null.
func pointer[T any](s *jsonscan.Scanner, take func() T) *T {
	if s.IsNull() {
		s.Skip()
		return nil
	}
	value := take()
	return &value
}

func scanSlot(s *jsonscan.Scanner) (slot runstore.Slot) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "stage":
			slot.Stage = s.Text()
		case "split":
			slot.Split = sdk.Split(s.Text())
		case "step":
			slot.Step = s.Int()
		case "group":
			slot.Group = s.Text()
		case "sample":
			slot.Sample = s.Int()
		default:
			s.Skip()
		}
	})
	return slot
}

func scanFailure(s *jsonscan.Scanner) *sdk.Failure {
	return pointer(s, func() (f sdk.Failure) {
		raw := s.Raw()
		if json.Unmarshal(raw, &f) != nil {
			s.Fail()
		}
		return f
	})
}

func scanTimings(s *jsonscan.Scanner) (t runstore.Timings) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "queue_ms":
			t.QueueMillis = s.Float()
		case "model_ms":
			t.ModelMillis = s.Float()
		case "environment_ms":
			t.EnvironmentMillis = s.Float()
		case "reward_ms":
			t.RewardMillis = s.Float()
		case "siblings_ms":
			t.SiblingsMillis = s.Float()
		case "host_ms":
			t.HostMillis = s.Float()
		default:
			s.Skip()
		}
	})
	return t
}

func scanParts(s *jsonscan.Scanner) (parts []indexedPart) {
	s.Array(func() { parts = append(parts, scanPart(s)) })
	return parts
}

func scanPart(s *jsonscan.Scanner) (part indexedPart) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "agent":
			part.Agent = s.Text()
		case "messages":
			s.Array(func() { part.Messages = append(part.Messages, scanMessage(s)) })
		default:
			s.Skip()
		}
	})
	return part
}

func scanMessage(s *jsonscan.Scanner) (m indexedMessage) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "content":
			m.Content = s.Text()
		case "reasoning":
			m.Reasoning = s.Text()
		case "tool_calls":
			s.Array(func() { m.ToolCalls = append(m.ToolCalls, scanCall(s)) })
		default:
			s.Skip()
		}
	})
	return m
}

func scanCall(s *jsonscan.Scanner) (c indexedCall) {
	s.Object(func(name []byte) {
		switch string(name) {
		case "name":
			c.Name = s.Text()
		case "arguments":
			c.Arguments = s.Text()
		default:
			s.Skip()
		}
	})
	return c
}

// letters returns the approximate length of the searched text.
func (e *indexedEpisode) letters() int {
	n := len(e.TaskID) + len(e.FinalAnswer)
	for _, parts := range [][]indexedPart{e.Transcripts, e.UnsampledSteps} {
		for _, p := range parts {
			for _, m := range p.Messages {
				n += len(m.Content) + len(m.Reasoning) + 2
			}
		}
	}
	return min(n, maxText)
}
