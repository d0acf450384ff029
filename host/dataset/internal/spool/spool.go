// Package spool stores strings for access by index: in a small amount of memory, and on disk above a certain size.
//
// Strings are compressed together in blocks. The blocks stay in memory until they contain maxMemory bytes. Then they
// move to an unlinked temporary file, which disappears when it is closed or the process exits for any reason. The
// package does not interpret the strings.
//
//	s := spool.New()
//	defer s.Close()
//	err := s.Add([]byte("first"))
//	err = s.Finish()
//	text, err := s.Get(0)
package spool

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

const (
	blockBytes = 128 << 10 // before compression; a longer text has a separate block
	maxMemory  = 16 << 20
)

// Spool holds texts. One goroutine adds them. After Finish, reads are safe for concurrent use.
type Spool struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	filling []byte
	texts   []text
	blocks  []block
	memory  []byte   // the blocks, until they move to the file
	file    *os.File // nil: they are in memory
	size    int64    // of all blocks
	recent  atomic.Pointer[unpacked]
}

// text is the start position of a string. It ends where the next string in its block begins, or at the end of the
// block.
type text struct {
	block uint32
	start uint32
}

type block struct {
	offset int64
	length uint32
}

// unpacked is the last block read: sequential readers decompress each block once.
type unpacked struct {
	block uint32
	bytes []byte
}

// New returns an empty spool. The caller must close it.
func New() *Spool {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(true))
	if err != nil {
		panic(fmt.Sprintf("spool: %v", err)) // the options are constants
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(fmt.Sprintf("spool: %v", err))
	}
	return &Spool{encoder: encoder, decoder: decoder}
}

// Len returns the number of strings.
func (s *Spool) Len() int { return len(s.texts) }

// Add stores a copy of a string.
func (s *Spool) Add(content []byte) error {
	if len(s.filling) > 0 && len(s.filling)+len(content) > blockBytes {
		if err := s.pack(); err != nil {
			return err
		}
	}
	s.texts = append(s.texts, text{block: uint32(len(s.blocks)), start: uint32(len(s.filling))})
	s.filling = append(s.filling, content...)
	return nil
}

// Finish ends adding.
func (s *Spool) Finish() error {
	err := s.pack()
	s.filling, s.encoder = nil, nil
	return err
}

// pack compresses and stores the current block.
func (s *Spool) pack() error {
	packed := s.encoder.EncodeAll(s.filling, nil)
	s.blocks = append(s.blocks, block{offset: s.size, length: uint32(len(packed))})
	s.size += int64(len(packed))
	s.filling = s.filling[:0]
	if s.file == nil && s.size > maxMemory {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.file == nil {
		s.memory = append(s.memory, packed...)
		return nil
	}
	return explain(writeAll(s.file, packed))
}

// spill moves the existing blocks to a temporary file.
func (s *Spool) spill() error {
	file, err := os.CreateTemp("", "awhost-rows-")
	if err != nil {
		return explain(err)
	}
	s.file = file
	if err := os.Remove(file.Name()); err != nil { // the file remains usable until it is closed
		return explain(err)
	}
	err = writeAll(file, s.memory)
	s.memory = nil
	return explain(err)
}

func writeAll(file *os.File, content []byte) error {
	_, err := file.Write(content)
	return err
}

// explain adds the purpose of the file and instructions for moving it.
func explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store rows in a temporary file (the directory is set by TMPDIR): %w", err)
}

// Get reads the i-th string, counting from 0. The result must not be modified.
func (s *Spool) Get(i int) ([]byte, error) {
	t := s.texts[i]
	bytes, err := s.unpack(t.block)
	if err != nil {
		return nil, err
	}
	end := len(bytes)
	if i+1 < len(s.texts) && s.texts[i+1].block == t.block {
		end = int(s.texts[i+1].start)
	}
	return bytes[t.start:end], nil
}

func (s *Spool) unpack(i uint32) ([]byte, error) {
	if u := s.recent.Load(); u != nil && u.block == i {
		return u.bytes, nil
	}
	packed, err := s.packed(s.blocks[i])
	if err != nil {
		return nil, err
	}
	bytes, err := s.decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("read rows from the temporary file: %w", err)
	}
	s.recent.Store(&unpacked{block: i, bytes: bytes})
	return bytes, nil
}

func (s *Spool) packed(b block) ([]byte, error) {
	if s.file == nil {
		return s.memory[b.offset : b.offset+int64(b.length)], nil
	}
	packed := make([]byte, b.length)
	if _, err := s.file.ReadAt(packed, b.offset); err != nil {
		return nil, fmt.Errorf("read rows from the temporary file: %w", err)
	}
	return packed, nil
}

// Close releases the memory and the file.
func (s *Spool) Close() error {
	s.decoder.Close()
	s.memory = nil
	s.recent.Store(nil)
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
