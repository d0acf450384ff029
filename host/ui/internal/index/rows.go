package index

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// row is the in-memory form of a Fact. It has no pointers, so the garbage collector does not have to scan a hundred
// thousand of them. Strings are represented by word numbers.
type row struct {
	id                                           place32
	task, stage, group                           uint32
	split, outcome, class                        uint32
	members                                      uint32
	standing, use, why                           uint32 // verdicts
	flags                                        byte
	step, sample, attempt, turns, tokens, usedIn int32
	malformed                                    int32
	answer                                       uint32 // checksum
	parts                                        Times
	reward, seconds                              float64
	seq                                          uint64
	from                                         int64
	record                                       runstore.RecordKey
	text                                         span
}

// The flags of a row.
const (
	hasReward = 1 << iota
	hasSuccess
	isSuccess
	isCut
)

// words holds each string that many rows share once. Number 0 is the empty string.
type words struct {
	list    []string
	numbers map[string]uint32
}

func newWords() *words { return &words{list: []string{""}, numbers: map[string]uint32{"": 0}} }

func (w *words) number(text string) uint32 {
	n, ok := w.numbers[text]
	if !ok {
		n = uint32(len(w.list))
		w.list = append(w.list, text)
		w.numbers[text] = n
	}
	return n
}

// place32 is a string's position in blocks.
type place32 struct{ block, at, length uint32 }

// blocks holds distinct strings, with many in one memory block.
type blocks struct{ list []*strings.Builder }

const blockSize = 64 << 10

func (b *blocks) add(text string) place32 {
	last := len(b.list) - 1
	if last < 0 || b.list[last].Cap()-b.list[last].Len() < len(text) {
		block := &strings.Builder{}
		block.Grow(max(blockSize, len(text)))
		b.list = append(b.list, block)
		last++
	}
	at := b.list[last].Len()
	b.list[last].WriteString(text)
	return place32{uint32(last), uint32(at), uint32(len(text))}
}

// get returns a string, which shares memory with the others.
func (b *blocks) get(p place32) string { return b.list[p.block].String()[p.at : p.at+p.length] }

// rows holds a run's episodes in journal order.
type rows struct {
	words    *words
	verdicts *words // standings, uses and reasons
	ids      blocks
	pages    [][]row
	count    int
	// newest maps an ID's hash to the number of its last row. others holds the IDs whose hash collides with another
	// ID's.
	seed   maphash.Seed
	newest map[uint64]int32
	others map[string]int32
}

const pageRows = 1024

func newRows() *rows {
	return &rows{
		words: newWords(), verdicts: newWords(), seed: maphash.MakeSeed(), newest: map[uint64]int32{},
		others: map[string]int32{},
	}
}

// at returns a row. Its address is stable.
func (r *rows) at(i int) *row { return &r.pages[i/pageRows][i%pageRows] }

func (r *rows) add(id string, new row) {
	if r.count%pageRows == 0 {
		r.pages = append(r.pages, make([]row, 0, pageRows))
	}
	new.id = r.ids.add(id)
	page := &r.pages[len(r.pages)-1]
	*page = append(*page, new)
	hash := maphash.String(r.seed, id)
	if other, ok := r.newest[hash]; ok && r.ids.get(r.at(int(other)).id) != id {
		r.others[id] = int32(r.count)
	} else {
		r.newest[hash] = int32(r.count)
	}
	r.count++
}

// find returns the last row with an ID, or nil.
func (r *rows) find(id string) *row {
	i, ok := r.others[id]
	if !ok {
		i, ok = r.newest[maphash.String(r.seed, id)]
	}
	if !ok || r.ids.get(r.at(int(i)).id) != id {
		return nil
	}
	return r.at(int(i))
}

// pack returns the row for a fact, without its ID and verdict.
func (w *words) pack(f *Fact) row {
	out := row{
		task: w.number(f.Task), stage: w.number(f.Stage), group: w.number(f.Group), split: w.number(string(f.Split)),
		outcome: w.number(string(f.Outcome)), class: w.number(string(f.Class)),
		members: w.number(strings.Join(f.Members, separator)), step: int32(f.Step), sample: int32(f.Sample),
		attempt: int32(f.Attempt), turns: int32(f.Turns), tokens: int32(f.Tokens), malformed: int32(f.Malformed),
		answer: f.AnswerSum, seconds: f.Seconds, parts: f.Parts, record: f.record, text: f.text,
	}
	if f.Reward != nil {
		out.flags, out.reward = hasReward, *f.Reward
	}
	if f.Success != nil {
		out.flags |= hasSuccess
		if *f.Success {
			out.flags |= isSuccess
		}
	}
	if f.Cut {
		out.flags |= isCut
	}
	return out
}

// separator separates the member names in a word.
const separator = "\x00"

// fact returns the fact of a row.
func (r *rows) fact(of *row) Fact {
	word := func(n uint32) string { return r.words.list[n] }
	f := Fact{
		ID: r.ids.get(of.id), Task: word(of.task), Stage: word(of.stage), Group: word(of.group),
		Split:   sdk.Split(word(of.split)),
		Outcome: sdk.Outcome(word(of.outcome)), Class: sdk.FailureClass(word(of.class)), Step: int(of.step),
		Sample: int(of.sample), Attempt: int(of.attempt), Turns: int(of.turns), Tokens: int(of.tokens),
		Malformed: int(of.malformed), AnswerSum: of.answer, Seconds: of.seconds, Parts: of.parts, Cut: of.flags&isCut != 0,
		EpisodeStatus: runstore.EpisodeStatus{
			Standing: runstore.Standing(r.verdicts.list[of.standing]), Use: sdk.Consumption(r.verdicts.list[of.use]),
			Why: r.verdicts.list[of.why], Step: int(of.usedIn),
		},
		seq: of.seq, from: of.from, record: of.record, text: of.text,
	}
	if of.members != 0 {
		f.Members = strings.Split(word(of.members), separator)
	}
	if of.flags&hasReward != 0 {
		reward := of.reward
		f.Reward = &reward
	}
	if of.flags&hasSuccess != 0 {
		success := of.flags&isSuccess != 0
		f.Success = &success
	}
	return f
}

// judge sets the verdicts for the episodes, starting at a row.
func (r *rows) judge(from int, standings *runstore.Standings) {
	for i := from; i < r.count; i++ {
		of := r.at(i)
		slot := runstore.Slot{Split: sdk.Split(r.words.list[of.split]), Step: int(of.step)}
		v := standings.Status(of.record, of.seq, sdk.Outcome(r.words.list[of.outcome]), slot)
		of.standing, of.use, of.why, of.usedIn =
			r.verdicts.number(string(v.Standing)), r.verdicts.number(string(v.Use)), r.verdicts.number(v.Why), int32(v.Step)
	}
}

// withMember reports, for each word number, whether the word names a member.
func (w *words) withMember(name string) []bool {
	out := make([]bool, len(w.list))
	for i, word := range w.list {
		out[i] = word == name || strings.Contains(word, separator) && slices.Contains(strings.Split(word, separator), name)
	}
	return out
}
