package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// The cache of a run is a directory of two append-only files:
//
//	facts  one entry per record of the journal, in the same order
//	texts  per episode the CRC32C of its answer, the answer, and the searched text
//
// An entry consists of its length and its CRC32C (4 bytes each, little endian), its kind and its content: numbers as
// varints, texts prefixed by their lengths. The first entry identifies the run. A string that many episodes share is
// stored once, as a separate entry before the first of them; the episodes refer to its number. Data after the last
// valid entry was cut off when a viewer was killed, and is written again. The journal is authoritative, and the cache
// may be removed at any time.
const (
	factsFile = "facts"
	textsFile = "texts"
	lockFile  = "lock"

	format   = 6
	maxEntry = 256 << 20 // maximum size in bytes

	entryHeader  = 'h'
	entryWord    = 'w'
	entryEpisode = 'e'
	entryCall    = 'c'
	entryTokens  = 't'
	entryRecord  = 'r'
)

// header is the first entry.
type header struct {
	Format  int    `json:"format"`
	Run     string `json:"run"`     // id of the run
	Journal string `json:"journal"` // path of the journal
}

var table = crc32.MakeTable(crc32.Castagnoli)

func sumOf(data []byte) uint32 { return crc32.Checksum(data, table) }

// errTruncated reports that an entry is too short.
var errTruncated = errors.New("the entry is too short")

// entry is a journal record as stored in the cache, or a word.
type entry struct {
	kind        byte
	seq         uint64
	begins      int64 // offset of the record; set when it is added
	next        int64 // offset after the record
	at          time.Time
	incarnation int
	kept        runstore.Type   // of a record
	data        json.RawMessage // of a record
	id          string          // id of an episode, or of the episode of a call or of tokens
	row         row             // of an episode
	replaces    string          // of an episode: the hash of the earlier record that it replaces
	word        string
	fact        Fact   // of a new episode
	text        []byte // of a new episode
}

func (e *entry) encode(out []byte) []byte {
	start := len(out)
	out = append(out, 0, 0, 0, 0, 0, 0, 0, 0, e.kind)
	out = binary.AppendVarint(out, int64(e.seq))
	out = binary.AppendVarint(out, e.next)
	out = binary.AppendVarint(out, e.at.UnixNano())
	out = binary.AppendVarint(out, int64(e.incarnation))
	switch e.kind {
	case entryEpisode:
		out = appendText(appendText(out, e.id), e.replaces)
		out = e.row.encode(out)
	case entryCall, entryTokens:
		out = appendText(out, e.id)
	case entryRecord:
		out = appendText(out, string(e.kept))
		out = append(out, e.data...)
	}
	return setChecksum(out, start)
}

// setChecksum writes the length and checksum of the entry that begins at start.
func setChecksum(out []byte, start int) []byte {
	payload := out[start+8:]
	binary.LittleEndian.PutUint32(out[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(out[start+4:], sumOf(payload))
	return out
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

func appendWord(out []byte, word string) []byte {
	start := len(out)
	out = append(out, 0, 0, 0, 0, 0, 0, 0, 0, entryWord)
	return setChecksum(append(out, word...), start)
}

func (r *row) encode(out []byte) []byte {
	for _, n := range r.numbers() {
		out = binary.AppendVarint(out, n)
	}
	out = append(out, r.flags)
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(r.reward))
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(r.seconds))
	for _, part := range r.parts {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(part))
	}
	return append(out, r.record[:]...)
}

func (r *row) numbers() [18]int64 {
	return [...]int64{
		int64(r.task), int64(r.stage), int64(r.group), int64(r.split), int64(r.outcome), int64(r.class), int64(r.members),
		int64(r.step), int64(r.sample), int64(r.attempt), int64(r.turns), int64(r.tokens), int64(r.malformed),
		int64(r.answer), r.text.offset, int64(r.text.answer), int64(r.text.text), int64(r.text.sum),
	}
}

// decoder reads an entry. After an error it returns zeros.
type decoder struct {
	in  []byte
	err error
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.in) {
		d.err, d.in = errTruncated, nil
		return nil
	}
	out := d.in[:n]
	d.in = d.in[n:]
	return out
}

func (d *decoder) number() int64 {
	n, width := binary.Varint(d.in)
	if width <= 0 {
		d.err, d.in = errTruncated, nil
		return 0
	}
	d.in = d.in[width:]
	return n
}

// word returns a word's number, which must be below known.
func (d *decoder) word(known int) uint32 {
	n := d.number()
	if n < 0 || n >= int64(known) {
		d.err = fmt.Errorf("word %d of %d", n, known)
		return 0
	}
	return uint32(n)
}

func (d *decoder) text() string {
	n, width := binary.Uvarint(d.in)
	if width <= 0 || n > uint64(len(d.in)) {
		d.err, d.in = errTruncated, nil
		return ""
	}
	d.in = d.in[width:]
	return string(d.take(int(n)))
}

func (d *decoder) float() float64 {
	raw := d.take(8)
	if raw == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(raw))
}

// row reads a row that encode has written. known is the number of words that are known.
func (d *decoder) row(known int) (r row) {
	for _, n := range []*uint32{&r.task, &r.stage, &r.group, &r.split, &r.outcome, &r.class, &r.members} {
		*n = d.word(known)
	}
	for _, n := range []*int32{&r.step, &r.sample, &r.attempt, &r.turns, &r.tokens, &r.malformed} {
		*n = int32(d.number())
	}
	r.answer = uint32(d.number())
	r.text = span{offset: d.number(), answer: int32(d.number()), text: int32(d.number()), sum: uint32(d.number())}
	if raw := d.take(1); raw != nil {
		r.flags = raw[0]
	}
	r.reward, r.seconds = d.float(), d.float()
	for i := range r.parts {
		if raw := d.take(4); raw != nil {
			r.parts[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw))
		}
	}
	copy(r.record[:], d.take(len(r.record)))
	return r
}

// entry reads an entry. It does not retain payload.
func (d *decoder) entry(payload []byte, words int) (entry, error) {
	d.in, d.err = payload[1:], nil
	if payload[0] == entryWord {
		return entry{kind: entryWord, word: string(d.in)}, nil
	}
	e := entry{
		kind: payload[0], seq: uint64(d.number()), next: d.number(), at: time.Unix(0, d.number()).UTC(),
		incarnation: int(d.number()),
	}
	switch e.kind {
	case entryEpisode:
		e.id, e.replaces = d.text(), d.text()
		e.row = d.row(words)
	case entryCall, entryTokens:
		e.id = d.text()
	case entryRecord:
		e.kept = runstore.Type(d.text())
		e.data = append(json.RawMessage(nil), d.in...)
	default:
		return e, fmt.Errorf("unknown entry kind %q", e.kind)
	}
	return e, d.err
}

// cache is a run's open cache directory.
type cache struct {
	dir      string
	own      bool // used by this process only, and removed with it
	lock     *os.File
	facts    *os.File
	texts    *os.File
	factsEnd int64
	textsEnd int64
	words    int // number of written words
	head     header
}

// openCache opens a run's cache. If another viewer holds the cache, openCache creates a temporary one for this process.
func openCache(dir string, run *runstore.Run) (*cache, error) {
	c := &cache{dir: dir, head: header{format, run.Info.ID, run.JournalPath()}}
	err := c.openFiles()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		if c.dir, err = os.MkdirTemp(filepath.Dir(dir), ownPrefix); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
		}
		c.own = true
		err = c.openFiles()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnwritable, errors.Join(err, c.close()))
	}
	return c, nil
}

func (c *cache) openFiles() (err error) {
	if err := os.MkdirAll(c.dir, ownerfile.Folder); err != nil {
		return err
	}
	open := func(name string) *os.File {
		if err != nil {
			return nil
		}
		var file *os.File
		file, err = os.OpenFile(filepath.Join(c.dir, name), os.O_RDWR|os.O_CREATE, ownerfile.File)
		return file
	}
	lock := open(lockFile)
	if err != nil {
		return err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errors.Join(err, lock.Close())
	}
	c.lock, c.facts, c.texts = lock, open(factsFile), open(textsFile)
	if err == nil {
		now := time.Now()
		err = os.Chtimes(lock.Name(), now, now) // marks the cache as used: see Sweep
	}
	return err
}

// load passes the entries to visit. When it finds an invalid entry, it stops and truncates the rest. The entries before
// that are valid.
func (c *cache) load(visit func(entry) error) error {
	info, err := c.texts.Stat()
	if err != nil {
		return err
	}
	section := io.NewSectionReader(c.facts, 0, 1<<62)
	in := bufio.NewReaderSize(section, 1<<20)
	d := &decoder{}
	var buffer []byte
	c.words = 1
	for first := true; ; first = false {
		payload, err := readEntry(in, &buffer)
		if err != nil {
			break
		}
		if first {
			var head header
			if payload[0] != entryHeader || json.Unmarshal(payload[1:], &head) != nil || head != c.head {
				break
			}
			c.factsEnd += int64(len(payload)) + 8
			continue
		}
		e, err := d.entry(payload, c.words)
		if err != nil {
			break
		}
		end := e.row.text.end()
		if end > info.Size() || visit(e) != nil {
			break
		}
		if e.kind == entryWord {
			c.words++
		}
		c.factsEnd += int64(len(payload)) + 8
		c.textsEnd = max(c.textsEnd, end)
	}
	if c.factsEnd == 0 {
		return c.reset()
	}
	return errors.Join(c.facts.Truncate(c.factsEnd), c.texts.Truncate(c.textsEnd))
}

// readEntry returns the payload of the next entry, in a buffer that the next call overwrites.
func readEntry(in *bufio.Reader, buffer *[]byte) ([]byte, error) {
	head, err := in.Peek(8)
	if err != nil {
		return nil, err
	}
	length, sum := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	if length == 0 || length > maxEntry {
		return nil, errTruncated
	}
	_, _ = in.Discard(len(head)) // peeked before
	if cap(*buffer) < int(length) {
		*buffer = make([]byte, length, 2*length)
	}
	payload := (*buffer)[:length]
	if _, err := io.ReadFull(in, payload); err != nil {
		return nil, err
	}
	if sumOf(payload) != sum {
		return nil, errTruncated
	}
	return payload, nil
}

// reset empties the cache.
func (c *cache) reset() error {
	c.factsEnd, c.textsEnd, c.words = 0, 0, 1
	if err := errors.Join(c.facts.Truncate(0), c.texts.Truncate(0)); err != nil {
		return err
	}
	text, err := json.Marshal(c.head)
	if err != nil {
		return err
	}
	out := append(make([]byte, 8, 9+len(text)), entryHeader)
	return c.writeFacts(setChecksum(append(out, text...), 0))
}

// append writes entries, preceded by the new words. Texts are written first, so that facts never refer to texts that do
// not exist.
func (c *cache) append(entries []entry, words *words) error {
	texts := make([]byte, 0, textsOf(entries))
	facts := make([]byte, 0, 200*len(entries))
	for i := range entries {
		e := &entries[i]
		if e.kind == entryEpisode {
			e.row = words.pack(&e.fact)
			e.row.text.offset = c.textsEnd + int64(len(texts))
			texts = append(texts, e.text...)
		}
	}
	for _, word := range words.list[c.words:] {
		facts = appendWord(facts, word)
	}
	for i := range entries {
		facts = entries[i].encode(facts)
	}
	if len(texts) > 0 {
		if _, err := c.texts.WriteAt(texts, c.textsEnd); err != nil {
			return err
		}
	}
	if err := c.writeFacts(facts); err != nil {
		return err
	}
	c.textsEnd += int64(len(texts))
	c.words = len(words.list)
	return nil
}

func textsOf(entries []entry) (n int) {
	for i := range entries {
		n += len(entries[i].text)
	}
	return n
}

func (c *cache) writeFacts(data []byte) error {
	if _, err := c.facts.WriteAt(data, c.factsEnd); err != nil {
		return err
	}
	c.factsEnd += int64(len(data))
	return nil
}

func (c *cache) close() error {
	var errs []error
	for _, file := range []*os.File{c.facts, c.texts, c.lock} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	if c.own {
		errs = append(errs, os.RemoveAll(c.dir))
	}
	return errors.Join(errs...)
}

// position returns the position after the entry's record.
func (e *entry) position() journal.Position { return journal.Position{Offset: e.next, Seq: e.seq} }

// record returns an entry's record for readers.
func (e *entry) record() runstore.Record {
	var r runstore.Record
	r.Type, r.Incarnation, r.At, r.Data = e.kept, e.incarnation, e.at, e.data
	switch e.kind {
	case entryEpisode:
		r.Type = runstore.TypeEpisode
	case entryCall:
		r.Type = runstore.TypeCall
	case entryTokens:
		r.Type = runstore.TypeTokens
	}
	r.Seq, r.Next = e.seq, e.position()
	return r
}
