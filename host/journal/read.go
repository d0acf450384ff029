package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/awhost/awhost/host/journal/disk"
)

// Record is one record of a journal.
type Record struct {
	Kind Kind
	// Seq is the number of the record, starting from 1.
	Seq uint64
	// Next is the position after the record, from which reading can continue.
	Next Position
	// JSON is the record. It is valid until the next iteration.
	JSON []byte
}

// ReadOptions selects the records to read. The zero value reads everything.
type ReadOptions struct {
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// From is where reading starts: the zero position or the Next of a record.
	From Position
	// Only selects certain kinds; nil means all. Other records are not unpacked, and not read if an index lists all of
	// these kinds (Options.Index).
	Only []Kind
	// Durable is the number of bytes that the caller made durable. Damage before it is corruption.
	Durable int64
	// SkipDamaged skips records with a wrong checksum, for files whose records can be recreated.
	SkipDamaged bool
	// Strict reports a complete frame with a wrong checksum as corruption even at the end of the file, where it may be
	// what a power failure left of a write. A frame that extends past the end of the file is always a torn tail.
	Strict bool
}

// Read yields a journal's records in order. It needs no lock: a record that a concurrent writer has not finished is a
// torn tail, and the sequence ends before it. An error is yielded last. Memory use is limited to one record.
func Read(path string, opts ReadOptions) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := read(path, opts, yield); err != nil {
			yield(Record{}, err)
		}
	}
}

// errStopped ends reading when the consumer stops the iteration.
var errStopped = errors.New("stopped")

func read(path string, opts ReadOptions, yield func(Record, error) bool) error {
	if opts.FS == nil {
		opts.FS = disk.OS
	}
	file, err := opts.FS.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	fresh, err := checkHeader(path, file, size, opts.Durable)
	if fresh || err != nil {
		return err
	}
	s := newScanner(path, file, size, opts.From)
	s.skip = opts.SkipDamaged
	visit := func(h *frameHeader, payload []byte) error { return s.deliver(h, payload, opts.Only, yield) }
	if err = s.jump(opts, visit); err == nil {
		err = s.each(visit)
	}
	if errors.Is(err, errStopped) {
		return nil
	}
	if err == errChecksum && opts.Strict {
		return s.corrupt(errChecksum.reason)
	}
	return s.judge(err, opts.Durable)
}

func (s *scanner) deliver(h *frameHeader, payload []byte, only []Kind, yield func(Record, error) bool) error {
	if only != nil && !slices.Contains(only, h.kind) {
		return nil
	}
	data, err := h.unpack(payload, s.unpacked)
	if err != nil {
		return s.corrupt(err.Error())
	}
	if h.encoding != encodingJSON && cap(data) <= mostKept {
		s.unpacked = data[:0]
	}
	next := Position{Offset: s.at.Offset + frameHeaderSize + h.length, Seq: h.seq}
	if !yield(Record{Kind: h.kind, Seq: h.seq, Next: next, JSON: data}, nil) {
		return errStopped
	}
	return nil
}

// scanner iterates over frames.
type scanner struct {
	path    string
	file    disk.File
	size    int64
	at      Position // after the last valid frame
	buffer  *bufio.Reader
	payload []byte
	skip    bool // damaged frames
	damaged bool // some frames are damaged
	// unpacked is memory that is reused for unpacked records.
	unpacked []byte
}

// mostKept is the maximum amount of memory kept for the next record.
const mostKept = 1 << 20

func newScanner(path string, file disk.File, size int64, from Position) *scanner {
	if from.Offset == 0 {
		from.Offset = headerSize
	}
	section := io.NewSectionReader(file, from.Offset, max(size-from.Offset, 0))
	return &scanner{path: path, file: file, size: size, at: from, buffer: bufio.NewReaderSize(section, 128<<10)}
}

// errTorn reports an incomplete frame. judge determines whether it is a torn tail or corruption.
type errTorn struct{ reason string }

func (e errTorn) Error() string { return e.reason }

var errChecksum = errTorn{"the checksum is wrong"}

// each calls visit for every valid frame. It returns nil at the end of the file and an errTorn at a bad frame.
func (s *scanner) each(visit func(*frameHeader, []byte) error) error {
	for s.at.Offset < s.size {
		h, err := s.frame()
		if err == nil {
			err = visit(&h, s.payload)
		}
		if err != nil && (err != errChecksum || !s.skip) {
			return err
		}
		s.damaged = s.damaged || err != nil
		s.at = Position{Offset: s.at.Offset + frameHeaderSize + h.length, Seq: s.at.Seq + 1}
	}
	return nil
}

// frame reads and checks the frame at s.at into s.payload.
func (s *scanner) frame() (frameHeader, error) {
	var raw [frameHeaderSize]byte
	if _, err := io.ReadFull(s.buffer, raw[:]); err != nil {
		return frameHeader{}, s.failed(err)
	}
	h, err := parseHeader(raw[:])
	if err != nil {
		return h, errTorn{err.Error()}
	}
	if s.at.Offset+frameHeaderSize+h.length > s.size {
		return h, errTorn{"the frame is longer than the file"}
	}
	if int64(cap(s.payload)) < h.length || cap(s.payload) > mostKept && h.length < 1<<16 {
		s.payload = make([]byte, h.length)
	}
	s.payload = s.payload[:h.length]
	if _, err := io.ReadFull(s.buffer, s.payload); err != nil {
		return h, s.failed(err)
	}
	if !h.valid(s.payload, s.at.Offset) {
		return h, errChecksum
	}
	if h.seq != s.at.Seq+1 {
		return h, errTorn{fmt.Sprintf("record %d follows record %d", h.seq, s.at.Seq)}
	}
	return h, nil
}

func (s *scanner) failed(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errTorn{"the frame is longer than the file"}
	}
	return fmt.Errorf("read journal %s at offset %d: %w", s.path, s.at.Offset, err)
}

// judge distinguishes a torn tail, which is not an error, from corruption.
func (s *scanner) judge(err error, durable int64) error {
	if err == nil && s.at.Offset < durable {
		return s.corrupt(fmt.Sprintf("the file ends here, but %d bytes of it were durable", durable))
	}
	var torn errTorn
	if !errors.As(err, &torn) {
		return err
	}
	told, err := durableBehind(s.file, s.at.Offset, s.size)
	if err != nil {
		return fmt.Errorf("read journal %s: %w", s.path, err)
	}
	if max(durable, told) <= s.at.Offset {
		return nil
	}
	if s.damaged = true; s.skip {
		return nil
	}
	return s.corrupt(torn.reason)
}

func (s *scanner) corrupt(reason string) error {
	return &CorruptError{Path: s.path, Offset: s.at.Offset, Reason: reason}
}

// durableBehind searches for valid frames after a bad one and returns the largest durable length recorded in them.
func durableBehind(file disk.File, bad, size int64) (int64, error) {
	const window = 256 << 10
	buffer := make([]byte, window)
	var durable int64
	for start := bad + 1; start < size; start += window - int64(len(marker)) + 1 {
		n, err := file.ReadAt(buffer[:min(window, size-start)], start)
		if err != nil && err != io.EOF {
			return 0, err
		}
		for at := 0; ; at++ {
			i := bytes.Index(buffer[at:n], marker[:])
			if i < 0 {
				break
			}
			at += i
			durable = max(durable, durableAt(file, start+int64(at), size))
			if durable > bad {
				return durable, nil
			}
		}
	}
	return durable, nil
}

// durableAt returns the durable length recorded in a valid frame at offset, or 0 without a valid frame.
func durableAt(file disk.File, offset, size int64) int64 {
	var raw [frameHeaderSize]byte
	if n, _ := file.ReadAt(raw[:], offset); n < len(raw) {
		return 0
	}
	h, err := parseHeader(raw[:])
	if err != nil || offset+frameHeaderSize+h.length > size {
		return 0
	}
	payload := make([]byte, h.length)
	if n, _ := file.ReadAt(payload, offset+frameHeaderSize); int64(n) < h.length || !h.valid(payload, offset) {
		return 0
	}
	return h.durable
}
