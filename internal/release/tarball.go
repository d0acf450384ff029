package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"slices"
	"time"
)

// entry is a file in an archive.
type entry struct {
	name string
	data []byte
	mode int64
}

// tarball packs the files below a directory, always into the same bytes.
func tarball(dir string, entries []entry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	packed := tar.NewWriter(zipped)
	for _, e := range entries {
		err := packed.WriteHeader(&tar.Header{
			Name: dir + "/" + e.name, Size: int64(len(e.data)), Mode: e.mode, ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		})
		if err != nil {
			return nil, err
		}
		if _, err := packed.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := errors.Join(packed.Close(), zipped.Close())
	return out.Bytes(), err
}
