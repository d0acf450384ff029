package index

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Fact is what an index has of an episode: what lists show, filters look at and readers count.
type Fact struct {
	ID       string
	Task     string
	Stage    string
	Group    string
	Split    sdk.Split
	Outcome  sdk.Outcome
	Class    sdk.FailureClass // empty: it has not failed
	Detail   string           // of the failure, the first 1,000 bytes
	Members  []string         // who spoke, where several did
	Step     int              // that it was drawn for
	Sample   int
	Attempt  int
	Turns    int
	Tokens   int // of the policy's and other models' answers
	Reward   *float64
	Success  *bool
	Seconds  float64 // of models, environment, rewards and host; without those in which it waited
	Standing runstore.Standing
	Use      sdk.Consumption // of one that counts
	UsedIn   int             // step, of one that counts
	Cut      bool            // only the first part of its text is searched

	seq    uint64
	from   int64 // offset in the journal where its record begins
	record [16]byte
	// replaces is the hash of an earlier record, in whose place this one came.
	replaces string
	text     span
}

// span is a place in the file of texts: the answer as it is, then the text that is searched.
type span struct {
	offset int64
	answer int // bytes
	text   int // bytes
	sum    uint32
}

const (
	mostAnswer = 200      // characters of an answer in a list
	mostDetail = 1000     // bytes of a failure's detail
	mostText   = 64 << 10 // bytes of an episode that are searched
)

// told is what an index takes of a runstore.EpisodeRecord: reading all of it takes twice as long.
type told struct {
	EpisodeID    string            `json:"episode_id"`
	Slot         runstore.Slot     `json:"slot"`
	Attempt      int               `json:"attempt"`
	TaskID       string            `json:"task_id"`
	Outcome      sdk.Outcome       `json:"outcome"`
	Reward       *float64          `json:"reward"`
	Notes        map[string]string `json:"notes"`
	IsSuccess    *bool             `json:"is_success"`
	Failure      *sdk.Failure      `json:"failure"`
	NumTurns     int               `json:"num_turns"`
	Transcripts  []toldPart        `json:"transcripts"`
	OwnSteps     []toldPart        `json:"own_steps"`
	Members      []toldMember      `json:"members"`
	FinalAnswer  string            `json:"final_answer"`
	OutputTokens int               `json:"output_tokens"`
	Timings      runstore.Timings  `json:"timings"`
	Replaces     string            `json:"replaces"`
}

type toldMember struct {
	Agent string `json:"agent"`
}

type toldPart struct {
	Agent    string        `json:"agent"`
	Messages []toldMessage `json:"messages"`
}

type toldMessage struct {
	Content   string     `json:"content"`
	Reasoning string     `json:"reasoning"`
	ToolCalls []toldCall `json:"tool_calls"`
}

type toldCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// factOf takes from an episode what an index keeps, and its part of the file of texts.
func factOf(e *told, hash string) (Fact, []byte) {
	f := Fact{
		ID: e.EpisodeID, Task: e.TaskID, Stage: e.Slot.Stage, Group: e.Slot.Group, Split: e.Slot.Split,
		Outcome: e.Outcome, Step: e.Slot.Step, Sample: e.Slot.Sample, Attempt: e.Attempt, Turns: e.NumTurns,
		Tokens: e.OutputTokens, Reward: e.Reward, Success: e.IsSuccess, replaces: e.Replaces,
	}
	t := e.Timings
	f.Seconds = (t.ModelMillis + t.EnvironmentMillis + t.RewardMillis + t.HostMillis) / 1000
	if e.Failure != nil {
		f.Class, f.Detail = e.Failure.Class, cut(e.Failure.Detail, mostDetail)
	}
	for _, m := range e.Members {
		f.Members = append(f.Members, m.Agent)
	}
	for _, p := range e.Transcripts {
		if p.Agent != "" && !slices.Contains(f.Members, p.Agent) {
			f.Members = append(f.Members, p.Agent)
		}
	}
	_, _ = hex.Decode(f.record[:], []byte(hash[:2*len(f.record)]))
	answer := firstRunes(e.FinalAnswer, mostAnswer)
	text, whole := searched(e)
	f.Cut = !whole
	f.text = span{answer: len(answer), text: len(text)}
	out := append([]byte(answer), text...)
	f.text.sum = crc32.Checksum(out, table)
	return f, out
}

// searched is the text of an episode in which people look for something, in lower case.
func searched(e *told) (_ string, whole bool) {
	var b strings.Builder
	whole = true
	add := func(s string) {
		if s == "" || !whole {
			return
		}
		if left := mostText - b.Len() - 1; len(s) > left {
			s, whole = cut(s, left), false
		}
		b.WriteString(strings.ToLower(s))
		b.WriteByte('\n')
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
	for _, s := range e.OwnSteps {
		addMessages(add, s.Messages)
	}
	return b.String(), whole
}

func addMessages(add func(string), messages []toldMessage) {
	for _, m := range messages {
		add(m.Reasoning)
		add(m.Content)
		for _, c := range m.ToolCalls {
			add(c.Name + " " + c.Arguments)
		}
	}
}

// cut returns at most so many bytes of a text, whole characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:max(most, 0)]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if n := len(s); n > 0 && s[n-1] >= utf8.RuneSelf {
		s = s[:n-1] // the first byte of a character that was cut
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

// A fact on disk is its members in the order below: numbers as varints, texts with their lengths before them.

var table = crc32.MakeTable(crc32.Castagnoli)

// errShort says that an entry ends too early.
var errShort = errors.New("the entry is too short")

const (
	hasReward = 1 << iota
	hasSuccess
	isSuccess
	isCut
)

func (f *Fact) encode(out []byte) []byte {
	for _, s := range []string{
		f.ID, f.Task, f.Stage, f.Group, string(f.Split), string(f.Outcome), string(f.Class), f.Detail,
		strings.Join(f.Members, "\x00"), f.replaces,
	} {
		out = appendText(out, s)
	}
	for _, n := range []int64{
		int64(f.Step), int64(f.Sample), int64(f.Attempt), int64(f.Turns), int64(f.Tokens), f.text.offset,
		int64(f.text.answer), int64(f.text.text), int64(f.text.sum),
	} {
		out = binary.AppendVarint(out, n)
	}
	var flags byte
	var reward float64
	if f.Reward != nil {
		flags, reward = flags|hasReward, *f.Reward
	}
	if f.Success != nil {
		flags |= hasSuccess
		if *f.Success {
			flags |= isSuccess
		}
	}
	if f.Cut {
		flags |= isCut
	}
	out = append(out, flags)
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(reward))
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(f.Seconds))
	return append(out, f.record[:]...)
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

// decoder reads an entry. After an error it returns zeros.
type decoder struct {
	in    []byte
	err   error
	known map[string]string // texts that come again and again, once each
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.in) {
		d.err, d.in = errShort, nil
		return nil
	}
	out := d.in[:n]
	d.in = d.in[n:]
	return out
}

func (d *decoder) number() int64 {
	n, width := binary.Varint(d.in)
	if width <= 0 {
		d.err, d.in = errShort, nil
		return 0
	}
	d.in = d.in[width:]
	return n
}

func (d *decoder) length() int {
	n, width := binary.Uvarint(d.in)
	if width <= 0 || n > uint64(len(d.in)) {
		d.err, d.in = errShort, nil
		return 0
	}
	d.in = d.in[width:]
	return int(n)
}

func (d *decoder) text() string { return string(d.take(d.length())) }

// common is a text that many episodes have.
func (d *decoder) common() string {
	raw := d.take(d.length())
	if s, ok := d.known[string(raw)]; ok {
		return s
	}
	s := string(raw)
	if len(d.known) < 1<<16 {
		d.known[s] = s
	}
	return s
}

func (d *decoder) float() float64 {
	raw := d.take(8)
	if raw == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(raw))
}

func (d *decoder) fact() Fact {
	f := Fact{
		ID: d.text(), Task: d.common(), Stage: d.common(), Group: d.common(), Split: sdk.Split(d.common()),
		Outcome: sdk.Outcome(d.common()), Class: sdk.FailureClass(d.common()), Detail: d.common(),
	}
	if members := d.common(); members != "" {
		f.Members = strings.Split(members, "\x00")
	}
	f.replaces = d.text()
	for _, n := range []*int{&f.Step, &f.Sample, &f.Attempt, &f.Turns, &f.Tokens} {
		*n = int(d.number())
	}
	f.text = span{offset: d.number(), answer: int(d.number()), text: int(d.number()), sum: uint32(d.number())}
	var flags byte
	if raw := d.take(1); raw != nil {
		flags = raw[0]
	}
	reward := d.float()
	f.Seconds = d.float()
	copy(f.record[:], d.take(len(f.record)))
	if flags&hasReward != 0 {
		f.Reward = &reward
	}
	if flags&hasSuccess != 0 {
		success := flags&isSuccess != 0
		f.Success = &success
	}
	f.Cut = flags&isCut != 0
	return f
}
