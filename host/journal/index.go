package journal

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sort"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// The index of a journal lists the records of Options.Index, so that a reader of these kinds skips all other records
// without reading them. It is a file next to the journal: a header of 40 bytes (a magic number and a bit for each kind)
// and an entry of 24 bytes for each record, little endian:
//
//	 0  8  offset of the frame
//	 8  8  seq of the record
//	16  1  kind
//	17  3  zero
//	20  4  CRC32C of the entry's number, from 0, and of these fields
//
// The index is only a shortcut. A reader uses its entries of durable records, up to the first one that is torn or that
// differs from the journal, and reads the journal from there. Open writes the index again and syncs it before the
// journal can grow, so that no entry of a cut tail is mistaken for one of a later record.
const (
	indexMagic      = "awjidx1\n"
	indexHeaderSize = int64(len(indexMagic)) + 32
	indexEntrySize  = 24
)

func indexPath(path string) string { return path + ".index" }

// kinds is a set of kinds.
type kinds [32]byte

func kindsOf(list []Kind) (set kinds) {
	for _, k := range list {
		set[k/8] |= 1 << (k % 8)
	}
	return set
}

func (s *kinds) has(k Kind) bool { return s[k/8]&(1<<(k%8)) != 0 }

// indexEntry is the position of a record.
type indexEntry struct {
	before Position
	kind   Kind
}

func (e indexEntry) append(out []byte, number int64) []byte {
	out = order.AppendUint64(out, uint64(e.before.Offset))
	out = order.AppendUint64(out, e.before.Seq+1)
	out = append(out, byte(e.kind), 0, 0, 0)
	return order.AppendUint32(out, indexSum(out[len(out)-20:], number))
}

func indexSum(fields []byte, number int64) uint32 {
	return crc32.Update(crc32.Checksum(order.AppendUint64(nil, uint64(number)), table), table, fields)
}

// parseIndex returns the intact entries at the beginning of an index, and the kinds that it lists.
func parseIndex(data []byte) (entries []indexEntry, listed kinds) {
	if int64(len(data)) < indexHeaderSize || string(data[:len(indexMagic)]) != indexMagic {
		return nil, listed
	}
	listed = kinds(data[len(indexMagic):])
	for data = data[indexHeaderSize:]; len(data) >= indexEntrySize; data = data[indexEntrySize:] {
		if order.Uint32(data[20:]) != indexSum(data[:20], int64(len(entries))) {
			break
		}
		entries = append(entries, indexEntry{kind: Kind(data[16]),
			before: Position{Offset: int64(order.Uint64(data)), Seq: order.Uint64(data[8:]) - 1}})
	}
	return entries, listed
}

// index is an index that is open for writing. The zero value lists nothing.
type index struct {
	file   disk.File
	kinds  kinds
	number int64 // of the next entry
}

// openIndex writes the index again with the entries of the records that the journal has. Nothing is written if no kinds
// are listed.
func (j *Journal) openIndex(opts Options, entries []indexEntry) error {
	if len(opts.Index) == 0 {
		return nil
	}
	x := index{kinds: kindsOf(opts.Index), number: int64(len(entries))}
	out := append([]byte(indexMagic), x.kinds[:]...)
	for i, e := range entries {
		out = e.append(out, int64(i))
	}
	file, err := opts.FS.OpenFile(indexPath(j.path), os.O_RDWR|os.O_CREATE, ownerfile.File)
	if err == nil {
		x.file = file
		j.index = x
		err = rewrite(file, out)
	}
	if err != nil {
		return fmt.Errorf("write the index of journal %s: %w", j.path, err)
	}
	return nil
}

func rewrite(file disk.File, data []byte) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	if _, err := file.WriteAt(data, 0); err != nil {
		return err
	}
	return file.Sync()
}

// add lists a record that was just written. After a failure the index lists no more records, and readers read the
// journal from there: the records themselves are safe.
func (x *index) add(e indexEntry) {
	if x.file == nil || !x.kinds.has(e.kind) {
		return
	}
	if _, err := x.file.WriteAt(e.append(nil, x.number), indexHeaderSize+x.number*indexEntrySize); err != nil {
		_ = x.close()
	}
	x.number++
}

func (x *index) close() error {
	if x.file == nil {
		return nil
	}
	file := x.file
	x.file = nil
	return file.Close()
}

// durable returns the entries of records that the journal itself reports as durable. After a power failure, a record
// behind a lost one may be intact, and does not count.
func (s *scanner) durable(entries []indexEntry) []indexEntry {
	var durable int64
	for i := len(entries) - 1; i >= 0 && durable == 0; i-- {
		durable = durableAt(s.file, entries[i].before.Offset, s.size)
	}
	end := sort.Search(len(entries), func(i int) bool { return entries[i].before.Offset >= durable })
	return entries[:end]
}

// jump delivers the durable records of opts.Only that the index lists, and leaves s after the last of them. Without
// an index of these kinds, it delivers nothing.
func (s *scanner) jump(opts ReadOptions, visit func(*frameHeader, []byte) error) error {
	if opts.Only == nil || opts.Strict || opts.SkipDamaged {
		return nil // the caller wants every frame to be checked
	}
	info, err := opts.FS.Lstat(indexPath(s.path))
	if err != nil || info.Size() >= s.size-s.at.Offset {
		return nil // reading the journal is the shorter way
	}
	data, err := disk.ReadFile(opts.FS, indexPath(s.path))
	if err != nil {
		return fmt.Errorf("read the index of journal %s: %w", s.path, err)
	}
	entries, listed := parseIndex(data)
	entries = s.durable(entries)
	if slices.ContainsFunc(opts.Only, func(k Kind) bool { return !listed.has(k) }) {
		return nil
	}
	defer func(whole *bufio.Reader) {
		s.buffer = whole
		s.buffer.Reset(io.NewSectionReader(s.file, s.at.Offset, max(s.size-s.at.Offset, 0)))
	}(s.buffer)
	s.buffer = bufio.NewReaderSize(nil, 8<<10)
	ahead := int64(-1) // offset of the buffer's first byte
	for i, e := range entries {
		wanted := slices.Contains(opts.Only, e.kind)
		if e.before.Offset < s.at.Offset || !wanted && i < len(entries)-1 {
			continue
		}
		intact := s.at
		s.at = e.before
		if gap := e.before.Offset - ahead; ahead >= 0 && gap <= int64(s.buffer.Buffered()) {
			_, _ = s.buffer.Discard(int(gap))
		} else {
			s.buffer.Reset(io.NewSectionReader(s.file, e.before.Offset, max(s.size-e.before.Offset, 0)))
		}
		h, err := s.frame()
		if err != nil || h.kind != e.kind {
			s.at = intact // the journal decides what this is
			return nil
		}
		if wanted {
			if err := visit(&h, s.payload); err != nil {
				return err
			}
		}
		s.at = Position{Offset: s.at.Offset + frameHeaderSize + h.length, Seq: h.seq}
		ahead = s.at.Offset
	}
	return nil
}
