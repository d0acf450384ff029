package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A frame is a header of 32 bytes, little endian, and a payload:
//
//	 0  4  marker
//	 4  1  encoding: 0 JSON, 1 JSON compressed with zstd
//	 5  1  kind
//	 6  2  zero
//	 8  4  length of the payload in bytes
//	12  4  CRC32C over the payload, the header without this field, and the frame's offset in the file
//	16  8  seq: number of the record, from 1
//	24  8  how many bytes of the file were durable when the frame was written
//
// The checksum covers the offset, so that a frame inside another frame's payload is never accepted.
const (
	frameHeaderSize = 32
	encodingJSON    = 0
	encodingZstd    = 1
	compressFrom    = 512 // bytes; shorter records gain too little
)

var (
	marker = [4]byte{0xA7, 'W', 'J', 0xF2}
	table  = crc32.MakeTable(crc32.Castagnoli)
	order  = binary.LittleEndian
)

// frame is an encoded record that has not been written yet.
type frame struct{ bytes []byte }

// newFrame encodes a record except for the fields that depend on its position in the file.
func newFrame(kind Kind, data []byte) frame {
	f := frame{bytes: make([]byte, frameHeaderSize, frameHeaderSize+len(data))}
	copy(f.bytes, marker[:])
	f.bytes[5] = byte(kind)
	f.append(data)
	payload := f.bytes[frameHeaderSize:]
	order.PutUint32(f.bytes[8:], uint32(len(payload)))
	order.PutUint32(f.bytes[12:], crc32.Checksum(payload, table))
	return f
}

func (f *frame) append(data []byte) {
	if len(data) >= compressFrom {
		packed := encoder().EncodeAll(data, f.bytes)
		if len(packed) < frameHeaderSize+len(data) {
			f.bytes = packed
			f.bytes[4] = encodingZstd
			return
		}
	}
	f.bytes = append(f.bytes[:frameHeaderSize], data...)
}

// seal completes the frame for a given position. Only this part of the work requires the journal's lock.
func (f *frame) seal(after Position, durable int64) {
	order.PutUint64(f.bytes[16:], after.Seq+1)
	order.PutUint64(f.bytes[24:], uint64(durable))
	order.PutUint32(f.bytes[12:], checksum(order.Uint32(f.bytes[12:]), f.bytes[:frameHeaderSize], after.Offset))
}

// checksum continues the checksum of a payload with the header and the offset of its frame.
func checksum(payload uint32, header []byte, offset int64) uint32 {
	var place [8]byte
	order.PutUint64(place[:], uint64(offset))
	sum := crc32.Update(payload, table, header[:12])
	sum = crc32.Update(sum, table, header[16:frameHeaderSize])
	return crc32.Update(sum, table, place[:])
}

// frameHeader is a frame header that was read from the file.
type frameHeader struct {
	encoding byte
	kind     Kind
	length   int64
	sum      uint32
	seq      uint64
	durable  int64
	raw      [frameHeaderSize]byte
}

// parseHeader returns an error if a header is invalid. The checksum is verified with the payload.
func parseHeader(raw []byte) (frameHeader, error) {
	var h frameHeader
	copy(h.raw[:], raw)
	if [4]byte(h.raw[:4]) != marker {
		return h, errors.New("no frame starts here")
	}
	h.encoding, h.kind = h.raw[4], Kind(h.raw[5])
	h.length = int64(order.Uint32(h.raw[8:]))
	h.sum = order.Uint32(h.raw[12:])
	h.seq = order.Uint64(h.raw[16:])
	h.durable = int64(order.Uint64(h.raw[24:]))
	if h.length > maxRecord+1024 {
		return h, fmt.Errorf("invalid frame length: %d bytes", h.length)
	}
	return h, nil
}

// valid reports whether the checksum matches.
func (h *frameHeader) valid(payload []byte, offset int64) bool {
	return checksum(crc32.Checksum(payload, table), h.raw[:], offset) == h.sum
}

// unpack returns the JSON from a payload. A compressed payload is appended to buffer, which grows if necessary.
func (h *frameHeader) unpack(payload, buffer []byte) ([]byte, error) {
	switch h.encoding {
	case encodingJSON:
		return payload, nil
	case encodingZstd:
		return decoder().DecodeAll(payload, buffer)
	}
	return nil, fmt.Errorf("the frame has an unknown encoding (%d)", h.encoding)
}

// encoder and decoder are shared because both support concurrent callers and keep their tables.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
			zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
		if err != nil {
			panic("journal: the zstd options are wrong: " + err.Error())
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxRecord))
		if err != nil {
			panic("journal: the zstd options are wrong: " + err.Error())
		}
		return d
	})
)
