// Package journal provides a crash-safe append-only file of records.
//
// A record is any value that can be encoded as JSON. Append writes it in a single frame with a length, a number, and a
// checksum. Long records are compressed individually. Append returns when the operating system has received the bytes,
// so that they survive the process. Sync returns when the disk has them, so that they survive the machine:
//
//	j, _, err := journal.Open("run/journal", journal.Options{Writer: "awhost 0.1.0"})
//	at, err := j.Append(ctx, kindEpisode, record)
//	err = j.Sync(ctx) // one fsync serves all waiting callers
//
//	for record, err := range journal.Read("run/journal", journal.ReadOptions{}) { … }
//
// A crash leaves two kinds of bad frames. Every frame contains the information needed to distinguish them: how many
// bytes were durable when it was written. A bad frame with no durable data after it is a torn tail: Open cuts it off,
// and Read ends before it. A bad frame that was durable is corruption: it causes an error that names the file and the
// offset, because continuing would silently lose records. The first failed write or fsync is final: every later call
// returns its error. Open the file again after eliminating the cause.
//
// It defines the format of the file (docs/reference/run-directory.md). It must not depend on what the records mean. The
// caller must prevent concurrent writers.
package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// formatVersion is the version of the file format that this package writes, and the newest version that it reads.
const formatVersion = 1

// maxRecord is the maximum size in bytes of a record encoded as JSON.
const maxRecord = 512 << 20

// ErrClosed is the error that a journal returns after Close.
var ErrClosed = errors.New("the journal is closed")

// Kind is a number chosen by the owner of the records, which lets readers skip records without unpacking them. Zero is
// a valid kind.
type Kind uint8

// Position is a point between two records, given as the number of bytes and records before it. The zero position is
// before the first record.
type Position struct {
	Offset int64  `json:"offset"`
	Seq    uint64 `json:"seq"` // of the last record before it; the first is 1
}

// Options configures a journal for writing. The zero value is usable.
type Options struct {
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Writer is the name and version of the program. It is stored in the header of a new file, so that an older program
	// can name a program that can read the file.
	Writer string
	// Durable is the number of bytes that the caller has made durable. Damage to these bytes is corruption.
	Durable int64
	// SkipDamaged leaves damaged records in the file and skips them; it is intended for records that can be recreated.
	// A file with a damaged header is recreated.
	SkipDamaged bool
	// Index lists the kinds for which a reader of only these kinds can skip all other records. They should be a small
	// part of the file. It excludes SkipDamaged.
	Index []Kind
}

// Recovery describes the state that Open found.
type Recovery struct {
	Records uint64 // intact records
	Torn    int64  // bytes of an unfinished tail that was cut off
	Damaged bool   // some records, or the header, are damaged
}

// Journal is an open journal. It is safe for concurrent use.
type Journal struct {
	path string
	file disk.File

	mu      sync.Mutex
	end     Position // of the last written frame
	durable int64    // bytes known to be on disk
	index   index
	flight  chan struct{} // closed when the running fsync has ended; nil when none runs
	err     error         // the first failure
}

// Open opens or creates the journal at path for writing, and cuts off a torn tail. It returns a *VersionError for a
// newer format and a *CorruptError for damage to durable data.
func Open(path string, opts Options) (*Journal, Recovery, error) {
	if opts.FS == nil {
		opts.FS = disk.OS
	}
	file, err := opts.FS.OpenFile(path, os.O_RDWR|os.O_CREATE, ownerfile.File)
	if err != nil {
		return nil, Recovery{}, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{path: path, file: file}
	recovery, err := j.recover(opts)
	if err != nil {
		return nil, Recovery{}, errors.Join(err, j.index.close(), file.Close())
	}
	return j, recovery, nil
}

// recover establishes the state that Append expects: a header followed by complete, durable frames.
func (j *Journal) recover(opts Options) (Recovery, error) {
	size, err := j.file.Size()
	if err != nil {
		return Recovery{}, fmt.Errorf("open journal: %w", err)
	}
	fresh, err := checkHeader(j.path, j.file, size, opts.Durable)
	var corrupt *CorruptError
	damaged := opts.SkipDamaged && errors.As(err, &corrupt)
	if err != nil && !damaged {
		return Recovery{}, err
	}
	if fresh || damaged {
		return Recovery{Torn: size, Damaged: damaged}, j.start(opts)
	}
	s := newScanner(j.path, j.file, size, Position{})
	s.skip = opts.SkipDamaged
	listed := kindsOf(opts.Index)
	var entries []indexEntry
	err = s.each(func(h *frameHeader, _ []byte) error {
		if listed.has(h.kind) {
			entries = append(entries, indexEntry{before: s.at, kind: h.kind})
		}
		return nil
	})
	err = s.judge(err, opts.Durable)
	end := s.at
	if err != nil {
		return Recovery{}, err
	}
	if end.Offset < size {
		if err := j.file.Truncate(end.Offset); err != nil {
			return Recovery{}, fmt.Errorf("cut the torn tail of journal %s at offset %d: %w", j.path, end.Offset, err)
		}
	}
	if err := j.file.Sync(); err != nil {
		return Recovery{}, fmt.Errorf("sync journal %s: %w", j.path, err)
	}
	j.end, j.durable = end, end.Offset
	return Recovery{Records: end.Seq, Torn: size - end.Offset, Damaged: s.damaged}, j.openIndex(opts, entries)
}

// start writes the header of a new file.
func (j *Journal) start(opts Options) error {
	if err := j.file.Truncate(0); err != nil {
		return fmt.Errorf("create journal %s: %w", j.path, err)
	}
	if _, err := j.file.WriteAt(encodeHeader(opts.Writer), 0); err != nil {
		return fmt.Errorf("create journal %s: %w", j.path, err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("create journal %s: %w", j.path, err)
	}
	if err := opts.FS.SyncDir(filepath.Dir(j.path)); err != nil {
		return fmt.Errorf("create journal %s: %w", j.path, err)
	}
	j.end, j.durable = Position{Offset: headerSize}, headerSize
	return j.openIndex(opts, nil)
}

// Append writes v as one record and returns the position after the record. The record survives the process once Append
// has returned, and survives the machine after the next Sync. If a value cannot be encoded, only this call fails,
// whereas a failed write is returned by every later call.
func (j *Journal) Append(ctx context.Context, kind Kind, v any) (Position, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return Position{}, fmt.Errorf("encode a record for journal %s: %w", j.path, err)
	}
	return j.AppendEncoded(ctx, kind, data)
}

// AppendEncoded appends a record that is already encoded as JSON. It does not validate the JSON, and invalid JSON
// cannot be read back.
func (j *Journal) AppendEncoded(ctx context.Context, kind Kind, data []byte) (Position, error) {
	if len(data) > maxRecord {
		return Position{}, fmt.Errorf("append to journal %s: the record has %d bytes, the limit is %d", j.path, len(data),
			maxRecord)
	}
	frame := newFrame(kind, data)
	if err := ctx.Err(); err != nil {
		return Position{}, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return Position{}, j.err
	}
	frame.seal(j.end, j.durable)
	written, err := j.file.WriteAt(frame.bytes, j.end.Offset)
	if err == nil && written < len(frame.bytes) {
		err = fmt.Errorf("only %d of %d bytes were written", written, len(frame.bytes))
	}
	if err != nil {
		j.err = fmt.Errorf("write journal %s at offset %d: %w", j.path, j.end.Offset, err)
		return Position{}, j.err
	}
	j.index.add(indexEntry{before: j.end, kind: kind})
	j.end = Position{Offset: j.end.Offset + int64(written), Seq: j.end.Seq + 1}
	return j.end, nil
}

// End returns the position after the last record.
func (j *Journal) End() Position {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.end
}

// Close waits for a running Sync and closes the file. It does not make anything durable: call Sync first.
func (j *Journal) Close() error {
	j.mu.Lock()
	if j.err == nil {
		j.err = ErrClosed
	}
	flight := j.flight
	j.mu.Unlock()
	if flight != nil {
		<-flight
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.index.close(), j.file.Close())
}
