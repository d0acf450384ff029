package index

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Fact is the index data for an episode, used for lists, filters and readers.
type Fact struct {
	ID        string
	Task      string
	Stage     string
	Group     string
	Split     sdk.Split
	Outcome   sdk.Outcome
	Class     sdk.FailureClass // empty: it has not failed
	Members   []string         // the members that generated messages, if several
	Step      int              // step that it was drawn for
	Sample    int
	Attempt   int
	Turns     int
	Tokens    int // of the answers of the policy and other models
	Malformed int // calls of the policy that could not be parsed
	// AnswerSum is a checksum of the complete final answer; 0: it has none. Equal answers have equal checksums.
	AnswerSum uint32
	Reward    *float64
	Success   *bool
	Seconds   float64 // of models, environment, rewards and host, without waiting time
	Parts     Times   // where all of its time was spent
	Cut       bool    // only the first part of its text is searched
	// Verdict reports whether the episode counts, and how it was used.
	runstore.EpisodeStatus

	seq    uint64
	from   int64 // offset of its record in the journal
	record runstore.RecordKey
	text   span
}

// Times holds the times for runstore.TimeParts in milliseconds. float32 is sufficient and saves memory, because there
// are many such values.
type Times [6]float32

// span is a position in the file of texts: the answer with its checksum, then the searched text.
type span struct {
	offset int64
	answer int32 // length in bytes
	text   int32 // length in bytes
	sum    uint32
}

func (s span) end() int64 { return s.offset + int64(s.answer) + int64(s.text) }

const (
	maxAnswer = 200      // maximum number of characters of an answer in a list
	maxText   = 64 << 10 // maximum number of searched bytes per episode
)

// factOf returns an episode's index data and its part of the text file.
func factOf(e *indexedEpisode, key runstore.RecordKey) (Fact, []byte) {
	f := Fact{
		ID: e.EpisodeID, Task: e.TaskID, Stage: e.Slot.Stage, Group: e.Slot.Group, Split: e.Slot.Split,
		Outcome: e.Outcome, Step: e.Slot.Step, Sample: e.Slot.Sample, Attempt: e.Attempt, Turns: e.NumTurns,
		Tokens: e.OutputTokens, Malformed: e.Malformed, AnswerSum: sumOf([]byte(e.FinalAnswer)), Reward: e.Reward,
		Success: e.IsSuccess, record: key,
	}
	t := e.Timings
	f.Seconds = (t.ModelMillis + t.EnvironmentMillis + t.RewardMillis + t.HostMillis) / 1000
	for i, millis := range t.Millis() {
		f.Parts[i] = float32(millis)
	}
	if e.Failure != nil {
		f.Class = e.Failure.Class
	}
	for _, m := range e.Members {
		f.Members = append(f.Members, m.Agent)
	}
	for _, p := range e.Transcripts {
		if p.Agent != "" && !slices.Contains(f.Members, p.Agent) {
			f.Members = append(f.Members, p.Agent)
		}
	}
	answer := withChecksum(firstRunes(e.FinalAnswer, maxAnswer))
	text, whole := searched(e, answer)
	f.Cut = !whole
	f.text = span{answer: int32(len(answer)), text: int32(len(text) - len(answer)), sum: sumOf(text)}
	return f, text
}

// withChecksum returns an answer preceded by its checksum, because lists read the answer without the text that follows
// it.
func withChecksum(answer string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, sumOf([]byte(answer))), answer...)
}

// verifyChecksum returns the answer of withChecksum. whole is false if the data is damaged.
func verifyChecksum(data []byte) (answer string, whole bool) {
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != sumOf(data[4:]) {
		return "", false
	}
	return string(data[4:]), true
}

// searched returns an episode's part of the file of texts: its answer with a checksum, followed by the searched text in
// lower case.
func searched(e *indexedEpisode, answer []byte) (text []byte, whole bool) {
	out := make([]byte, len(answer), len(answer)+e.letters()+64)
	copy(out, answer)
	whole = true
	add := func(s string) {
		if s == "" || !whole {
			return
		}
		if left := maxText - (len(out) - len(answer)) - 1; len(s) > left {
			s, whole = cut(s, left), false
		}
		out = append(append(out, strings.ToLower(s)...), '\n')
	}
	add(e.TaskID)
	add(e.FinalAnswer)
	if e.Failure != nil {
		add(e.Failure.Detail)
	}
	for _, note := range e.Notes {
		add(note)
	}
	for _, p := range e.Transcripts {
		addMessages(add, p.Messages)
	}
	for _, s := range e.UnsampledSteps {
		addMessages(add, s.Messages)
	}
	return out, whole
}

func addMessages(add func(string), messages []indexedMessage) {
	for _, m := range messages {
		add(m.Reasoning)
		add(m.Content)
		for _, c := range m.ToolCalls {
			add(c.Name + " " + c.Arguments)
		}
	}
}

// cut returns at most the given number of bytes of a string, without splitting a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:max(most, 0)]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if n := len(s); n > 0 && s[n-1] >= utf8.RuneSelf {
		s = s[:n-1] // first byte of a split character
	}
	return s
}

func firstRunes(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i]
		}
		n++
	}
	return s
}
