package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/private"
)

// The cache of a run is a folder of two files, which only ever grow:
//
//	facts  entries in the order of the journal's records, one for each
//	texts  of each episode its answer, and what is searched
//
// An entry is its length and its CRC32C (4 bytes each, little endian), its kind and what it holds. The first one says of
// which run it is. What follows the last good entry was cut off when a viewer was killed, and is written again: the
// journal is the truth, and the cache may be removed at any time.
const (
	factsFile = "facts"
	textsFile = "texts"
	lockFile  = "lock"

	format    = 1
	mostEntry = 256 << 20 // bytes

	entryHeader  = 'h'
	entryEpisode = 'e'
	entryCall    = 'c'
	entryRecord  = 'r'
)

// header is the first entry.
type header struct {
	Format  int    `json:"format"`
	Run     string `json:"run"`     // its id
	Journal string `json:"journal"` // path
}

// entry is a record of the journal as the cache has it.
type entry struct {
	kind        byte
	seq         uint64
	begins      int64 // offset of the record; filled in when it is taken in
	next        int64 // offset behind the record
	at          time.Time
	incarnation int
	kept        runstore.Type   // of a record
	data        json.RawMessage // of a record
	fact        Fact            // of an episode
	text        []byte          // of an episode that is new
	episode     string          // of a call
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
		out = e.fact.encode(out)
	case entryCall:
		out = appendText(out, e.episode)
	case entryRecord:
		out = appendText(out, string(e.kept))
		out = append(out, e.data...)
	}
	return seal(out, start)
}

// seal writes length and checksum of the entry that begins at start.
func seal(out []byte, start int) []byte {
	payload := out[start+8:]
	binary.LittleEndian.PutUint32(out[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(out[start+4:], crc32.Checksum(payload, table))
	return out
}

// decode reads an entry; payload is not kept.
func (d *decoder) entry(payload []byte) (entry, error) {
	d.in, d.err = payload[1:], nil
	e := entry{
		kind: payload[0], seq: uint64(d.number()), next: d.number(), at: time.Unix(0, d.number()).UTC(),
		incarnation: int(d.number()),
	}
	switch e.kind {
	case entryEpisode:
		e.fact = d.fact()
	case entryCall:
		e.episode = d.common()
	case entryRecord:
		e.kept = runstore.Type(d.common())
		e.data = append(json.RawMessage(nil), d.in...)
	default:
		return e, fmt.Errorf("an entry of kind %q", e.kind)
	}
	return e, d.err
}

// cache is the open folder of a run.
type cache struct {
	dir      string
	own      bool // nobody else uses it: it goes with this process
	lock     *os.File
	facts    *os.File
	texts    *os.File
	factsEnd int64
	textsEnd int64
	head     header
}

// openCache opens the folder of a run, or where another viewer has it one for this process alone.
func openCache(dir string, run *runstore.Run) (*cache, error) {
	c := &cache{dir: dir, head: header{format, run.Info.ID, run.JournalPath()}}
	err := c.openFiles()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		if c.dir, err = os.MkdirTemp(filepath.Dir(dir), "own-"); err != nil {
			return nil, err
		}
		c.own = true
		err = c.openFiles()
	}
	if err != nil {
		return nil, fmt.Errorf("open the index of run %s: %w", run.Ref(), errors.Join(err, c.close()))
	}
	return c, nil
}

func (c *cache) openFiles() (err error) {
	if err := os.MkdirAll(c.dir, private.Folder); err != nil {
		return err
	}
	open := func(name string) *os.File {
		if err != nil {
			return nil
		}
		var file *os.File
		file, err = os.OpenFile(filepath.Join(c.dir, name), os.O_RDWR|os.O_CREATE, private.File)
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
	return err
}

// load hands over the entries. Whatever is wrong with them, what comes before it is good; the rest is cut off.
func (c *cache) load(visit func(entry) error) error {
	info, err := c.texts.Stat()
	if err != nil {
		return err
	}
	section := io.NewSectionReader(c.facts, 0, 1<<62)
	in := bufio.NewReaderSize(section, 1<<20)
	d := &decoder{known: map[string]string{}}
	var buffer []byte
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
		e, err := d.entry(payload)
		if err != nil {
			break
		}
		end := e.fact.text.end()
		if e.kind == entryEpisode && end > info.Size() {
			break
		}
		if err := visit(e); err != nil {
			break
		}
		c.factsEnd += int64(len(payload)) + 8
		c.textsEnd = max(c.textsEnd, end)
	}
	if c.factsEnd == 0 {
		return c.reset()
	}
	return errors.Join(c.facts.Truncate(c.factsEnd), c.texts.Truncate(c.textsEnd))
}

func (s span) end() int64 { return s.offset + int64(s.answer) + int64(s.text) }

// readEntry returns the payload of the next entry, in a buffer that the next one is read into.
func readEntry(in *bufio.Reader, buffer *[]byte) ([]byte, error) {
	head, err := in.Peek(8)
	if err != nil {
		return nil, err
	}
	length, sum := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	if length == 0 || length > mostEntry {
		return nil, errShort
	}
	_, _ = in.Discard(len(head)) // it has been read
	if cap(*buffer) < int(length) {
		*buffer = make([]byte, length, 2*length)
	}
	payload := (*buffer)[:length]
	if _, err := io.ReadFull(in, payload); err != nil {
		return nil, err
	}
	if crc32.Checksum(payload, table) != sum {
		return nil, errShort
	}
	return payload, nil
}

// reset empties the cache.
func (c *cache) reset() error {
	c.factsEnd, c.textsEnd = 0, 0
	if err := errors.Join(c.facts.Truncate(0), c.texts.Truncate(0)); err != nil {
		return err
	}
	text, err := json.Marshal(c.head)
	if err != nil {
		return err
	}
	out := append(make([]byte, 8, 9+len(text)), entryHeader)
	return c.writeFacts(seal(append(out, text...), 0))
}

// append writes entries. The texts come first: what the facts name is there.
func (c *cache) append(entries []entry) error {
	var facts, texts []byte
	for i := range entries {
		e := &entries[i]
		if e.kind == entryEpisode {
			e.fact.text.offset = c.textsEnd + int64(len(texts))
			texts = append(texts, e.text...)
		}
		facts = e.encode(facts)
	}
	if len(texts) > 0 {
		if _, err := c.texts.WriteAt(texts, c.textsEnd); err != nil {
			return err
		}
		c.textsEnd += int64(len(texts))
	}
	return c.writeFacts(facts)
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

// position is where the record behind an entry begins.
func (e *entry) position() journal.Position { return journal.Position{Offset: e.next, Seq: e.seq} }

// record is what readers get of an entry.
func (e *entry) record() runstore.Record {
	var r runstore.Record
	r.Type, r.Incarnation, r.At, r.Data = e.kept, e.incarnation, e.at, e.data
	switch e.kind {
	case entryEpisode:
		r.Type = runstore.TypeEpisode
	case entryCall:
		r.Type = runstore.TypeCall
	}
	r.Seq, r.Next = e.seq, e.position()
	return r
}
