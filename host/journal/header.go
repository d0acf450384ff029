package journal

import (
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/awhost/awhost/host/journal/disk"
)

// The header of the file has 64 bytes and the same layout in all versions of the format, so that every program can
// name a program that reads the file:
//
//	 0  8  magic
//	 8  4  format version, little endian
//	12 48  the program that created the file, padded with zeros
//	60  4  CRC32C over the bytes before
const (
	headerSize = 64
	magic      = "AWHJRNL\n"
)

func encodeHeader(writer string) []byte {
	header := make([]byte, headerSize)
	copy(header, magic)
	order.PutUint32(header[8:], formatVersion)
	copy(header[12:60], writer)
	order.PutUint32(header[60:], crc32.Checksum(header[:60], table))
	return header
}

// checkHeader reports whether the file is new: empty, or with an unfinished header that no record follows.
func checkHeader(path string, file disk.File, size, durable int64) (fresh bool, err error) {
	header := make([]byte, headerSize)
	n, err := file.ReadAt(header, 0)
	if err != nil && err != io.EOF {
		return false, fmt.Errorf("read journal %s: %w", path, err)
	}
	header = header[:n]
	if n == headerSize && crc32.Checksum(header[:60], table) == order.Uint32(header[60:]) && string(header[:8]) == magic {
		return false, checkVersion(path, header)
	}
	if !startsLikeMagic(header) {
		reason := fmt.Sprintf("the file is not a journal: it starts with %q", header[:min(n, 16)])
		return false, &CorruptError{Path: path, Offset: 0, Reason: reason}
	}
	if size > headerSize || durable > 0 {
		return false, &CorruptError{Path: path, Offset: 0, Reason: "the header is damaged"}
	}
	return true, nil
}

// startsLikeMagic also accepts zeros: a crash may have extended the file without filling it.
func startsLikeMagic(header []byte) bool {
	for i, b := range header[:min(len(header), len(magic))] {
		if b != 0 && b != magic[i] {
			return false
		}
	}
	return true
}

func checkVersion(path string, header []byte) error {
	version := order.Uint32(header[8:])
	if version == formatVersion {
		return nil
	}
	return &VersionError{Path: path, Version: int(version), Writer: strings.TrimRight(string(header[12:60]), "\x00")}
}

// VersionError reports a journal in a format that this program does not read.
type VersionError struct {
	Path    string
	Version int
	Writer  string // the program that wrote it, "awhost 0.3.0"
}

// Error implements error.
func (e *VersionError) Error() string {
	reader := "a newer version"
	if e.Writer != "" {
		reader = e.Writer + " or newer"
	}
	return fmt.Sprintf("journal %s is in format %d, this program reads format %d: use %s", e.Path, e.Version,
		formatVersion, reader)
}

// CorruptError reports damage to durable data.
type CorruptError struct {
	Path   string
	Offset int64
	Reason string
}

// Error implements error.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("journal %s is damaged at offset %d: %s; restore the file from a backup, or start another run with: awhost apply --new", e.Path, e.Offset, e.Reason)
}

var (
	_ error = (*VersionError)(nil)
	_ error = (*CorruptError)(nil)
)
