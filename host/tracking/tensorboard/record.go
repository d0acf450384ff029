package tensorboard

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/awhost/awhost/host/journal/disk"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked returns the checksum used in the record format: a CRC-32C, rotated and with a constant added. This makes the
// checksum of data that contains checksums differ from those checksums.
func masked(b []byte) uint32 {
	c := crc32.Checksum(b, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// record frames an event: its length, the checksum of the length, the event, and its checksum.
func record(event []byte) []byte {
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, len(event)+16), uint64(len(event)))
	out = binary.LittleEndian.AppendUint32(out, masked(out))
	out = append(out, event...)
	return binary.LittleEndian.AppendUint32(out, masked(event))
}

// mostEvent is the maximum size of an event, which limits the effect of a damaged length field.
const mostEvent = 1 << 30

// errTorn reports a truncated record, for example after a kill.
var errTorn = errors.New("the record is incomplete")

// eachRecord calls visit with the events in a file, up to the first truncated one.
func eachRecord(file disk.File, visit func(event []byte)) error {
	size, err := file.Size()
	if err != nil {
		return err
	}
	for offset := int64(0); offset < size; {
		event, n, err := readRecord(file, offset, size)
		if errors.Is(err, errTorn) {
			return nil
		}
		if err != nil {
			return err
		}
		visit(event)
		offset += n
	}
	return nil
}

func readRecord(file disk.File, offset, size int64) (event []byte, length int64, err error) {
	var frame [12]byte
	if offset+int64(len(frame)) > size {
		return nil, 0, errTorn
	}
	if _, err := file.ReadAt(frame[:], offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	n := binary.LittleEndian.Uint64(frame[:8])
	if masked(frame[:8]) != binary.LittleEndian.Uint32(frame[8:]) || n > mostEvent || offset+16+int64(n) > size {
		return nil, 0, errTorn
	}
	data := make([]byte, n+4)
	if _, err := file.ReadAt(data, offset+12); err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	event = data[:n]
	if masked(event) != binary.LittleEndian.Uint32(data[n:]) {
		return nil, 0, errTorn
	}
	return event, int64(n) + 16, nil
}
