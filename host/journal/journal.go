// Package journal is an append-only file of records that survives what happens to it.
//
// A record is any value that encodes to JSON. Append writes it in one frame with a length, a number, and a
// checksum; long ones are compressed, each alone. Append returns when the operating system has the bytes, so that
// they outlive the process; Sync returns when the disk has them, so that they outlive the machine:
//
//	j, _, err := journal.Open("run/journal", journal.Options{Writer: "awhost 0.1.0"})
//	at, err := j.Append(ctx, kindEpisode, record)
//	err = j.Sync(ctx) // one fsync serves everybody who waits
//
//	for record, err := range journal.Read("run/journal", journal.ReadOptions{}) { … }
//
// What a crash leaves is of two kinds, and every frame carries what tells them apart: how many bytes were durable
// when it was written. A bad frame with nothing durable behind it is a torn tail: Open cuts it off, Read ends
// before it. A bad frame that was durable once is corruption: an error that names the file and the offset, because
// going on would silently lose records. The first failed write or fsync is final: every later call returns it. Open
// the file again to go on, after the cause is gone.
//
// It owns the format of the file (docs/run-directory.md). It must not know what the records mean, nor who may write:
// two writers at a time are for the caller to prevent.
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
	"github.com/awhost/awhost/sdk/private"
)

// formatVersion is the version of the file format that this package writes, and the newest that it reads.
const formatVersion = 1

// maxRecord is the size in bytes of the largest record, as JSON.
const maxRecord = 512 << 20

// ErrClosed is the error of a journal after Close.
var ErrClosed = errors.New("the journal is closed")

// Kind is a number that the owner of the records chooses, so that readers can skip what they do not want without
// unpacking it. Zero is a kind like any other.
type Kind uint8

// Position is a place between two records: how many bytes and records are before it. The zero position is before
// the first record.
type Position struct {
	Offset int64  `json:"offset"`
	Seq    uint64 `json:"seq"` // of the last record before it; the first is 1
}

// Options say how to open a journal for writing. The zero value is usable.
type Options struct {
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Writer names the program and its version. It goes into the header of a new file, so that an older program
	// can say which one reads it.
	Writer string
	// Durable is how many bytes the caller knows to have been durable. Damage before it is corruption.
	Durable int64
	// SkipDamaged keeps damaged records in the file and passes over them, for records that can be made again. A file
	// whose header is damaged begins again.
	SkipDamaged bool
}

// Recovery says what Open found.
type Recovery struct {
	Records uint64 // intact ones
	Torn    int64  // bytes of an unfinished tail that were cut off
	Damaged bool   // there are damaged records, or the header was
}

// Journal is an open journal. It is safe for concurrent use.
type Journal struct {
	path string
	file disk.File

	mu      sync.Mutex
	end     Position      // of the last written frame
	durable int64         // bytes known to be on disk
	flight  chan struct{} // closed when the running fsync has ended; nil when none runs
	err     error         // the first failure
}

// Open opens or creates the journal at path for writing, and cuts off a torn tail. A journal in a newer format is
// a *VersionError, damage to what was durable a *CorruptError.
func Open(path string, opts Options) (*Journal, Recovery, error) {
	if opts.FS == nil {
		opts.FS = disk.OS
	}
	file, err := opts.FS.OpenFile(path, os.O_RDWR|os.O_CREATE, private.File)
	if err != nil {
		return nil, Recovery{}, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{path: path, file: file}
	recovery, err := j.recover(opts)
	if err != nil {
		return nil, Recovery{}, errors.Join(err, file.Close())
	}
	return j, recovery, nil
}

// recover brings the file into the state that Append expects: a header, whole frames, all of it durable.
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
	end, err := s.end(opts.Durable)
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
	return Recovery{Records: end.Seq, Torn: size - end.Offset, Damaged: s.damaged}, nil
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
	return nil
}

// Append writes v as one record and returns the position after it. The record outlives the process when Append
// returns, and the machine after the next Sync. A value that cannot be encoded is an error of this call alone; a
// failed write is the error of every later call.
func (j *Journal) Append(ctx context.Context, kind Kind, v any) (Position, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return Position{}, fmt.Errorf("encode a record for journal %s: %w", j.path, err)
	}
	return j.AppendEncoded(ctx, kind, data)
}

// AppendEncoded is Append for a record that is JSON already. It is not checked again: what is no JSON cannot be read back.
func (j *Journal) AppendEncoded(ctx context.Context, kind Kind, data []byte) (Position, error) {
	if len(data) > maxRecord {
		return Position{}, fmt.Errorf("append to journal %s: the record has %d bytes, the limit is %d", j.path, len(data), maxRecord)
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
	j.end = Position{Offset: j.end.Offset + int64(written), Seq: j.end.Seq + 1}
	return j.end, nil
}

// End is the position after the last record.
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
	return j.file.Close()
}
