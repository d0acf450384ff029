package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compressions lists the extensions of compressed text files.
var compressions = []string{".gz", ".zst"}

// isCompressed reports whether a file name has such an extension.
func isCompressed(path string) bool { return plainName(path) != path }

// plainName returns a file name without its compression extension.
func plainName(path string) string {
	for _, ending := range compressions {
		if strings.EqualFold(filepath.Ext(path), ending) {
			return path[:len(path)-len(ending)]
		}
	}
	return path
}

// openText opens a text file and decompresses it if its name has such an extension.
func openText(path string) (io.ReadCloser, error) {
	open := openPlain
	if isCompressed(path) {
		open = openFile
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if !isCompressed(path) {
		return file, nil
	}
	unpacked, err := unpack(path, file)
	if err != nil {
		_ = file.Close() // read-only
		return nil, fmt.Errorf("decompress: %w; compress the file again", err)
	}
	return unpackedFile{unpacked, file}, nil
}

func unpack(path string, file io.Reader) (io.ReadCloser, error) {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		return gzip.NewReader(file)
	}
	decoder, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1)) // without goroutines
	if err != nil {
		return nil, err
	}
	return decoder.IOReadCloser(), nil
}

type unpackedFile struct {
	io.ReadCloser
	file *os.File
}

func (f unpackedFile) Close() error {
	_ = f.ReadCloser.Close() // read-only
	return f.file.Close()
}

// linesFile reads a JSON Lines file that is compressed or is one of several.
type linesFile struct{ path string }

func (f linesFile) name() string { return f.path }

func (f linesFile) scan(yield func(scanned) bool) error {
	input, err := openText(f.path)
	if err != nil {
		return err
	}
	defer input.Close()
	return scanLines(f.path, input, func(_ line, row scanned) bool { return yield(row) })
}

// listFile reads a file that contains one JSON list of objects, or JSON Lines: both use the .json extension.
type listFile struct{ path string }

func (f listFile) name() string { return f.path }

func (f listFile) scan(yield func(scanned) bool) error {
	input, err := openText(f.path)
	if err != nil {
		return err
	}
	defer input.Close()
	buffered := bufio.NewReaderSize(input, 256<<10)
	if _, err := skipMark(buffered); err != nil {
		return err
	}
	isList, err := beginsList(buffered)
	if err != nil {
		return err
	}
	if !isList {
		return scanLines(f.path, buffered, func(_ line, row scanned) bool { return yield(row) })
	}
	return f.scanList(json.NewDecoder(buffered), yield)
}

// beginsList reports whether the first non-whitespace byte starts a list.
func beginsList(input *bufio.Reader) (bool, error) {
	start, err := input.Peek(4096)
	if err != nil && err != io.EOF {
		return false, err
	}
	return bytes.HasPrefix(bytes.TrimSpace(start), []byte("[")), nil
}

func (f listFile) scanList(decoder *json.Decoder, yield func(scanned) bool) error {
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for number := 1; decoder.More(); number++ {
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil {
			return fmt.Errorf("element %d is invalid JSON: %w", number, err)
		}
		row := scanned{place: Place{Path: f.path, Row: number}}
		row.columns, row.problem = parseRow(text)
		if !yield(row) {
			return nil
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("unterminated list: %w", err)
	}
	return nil
}

var (
	_ dataFile = linesFile{}
	_ dataFile = listFile{}
)
