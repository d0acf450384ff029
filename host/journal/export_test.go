package journal

import "hash/crc32"

// HeaderForTest returns a header as another version would write it.
func HeaderForTest(header []byte, version byte, writer string) []byte {
	header = append([]byte(nil), header[:headerSize]...)
	header[8] = version
	copy(header[12:60], make([]byte, 48))
	copy(header[12:60], writer)
	order.PutUint32(header[60:], crc32.Checksum(header[:60], table))
	return header
}
