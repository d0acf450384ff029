package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/catalog/internal/archive"
)

// entry is an entry of an archive: a file, unless its type or mode differs.
type entry struct {
	name, text string
	kind       byte // type in tar
	link       string
	mode       fs.FileMode
}

func tarGz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	plain := gzip.NewWriter(&out)
	w := tar.NewWriter(plain)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Mode: int64(e.mode.Perm()),
			Size: int64(len(e.text))}
		if e.kind == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: e.kind, PAXRecords: map[string]string{"comment": "abc"}}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack unpacks data into a folder with a sibling that must not be changed.
func unpack(t testing.TB, data []byte, limits archive.Limits) (dir string, err error) {
	t.Helper()
	outer := t.TempDir()
	dir = filepath.Join(outer, "dir")
	path := filepath.Join(t.TempDir(), "archive")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = archive.Unpack(f, dir, limits)
	if left, _ := os.ReadDir(outer); len(left) != 1 {
		t.Errorf("the archive wrote beside its folder: %v", left)
	}
	return dir, err
}

func TestUnpack_WritesFilesThatNobodyCanWriteTo(t *testing.T) {
	entries := []entry{
		{name: "mine/", kind: tar.TypeDir, mode: fs.ModeDir | 0o755},
		{name: "mine/bin/run", text: "#!/bin/sh\n", kind: tar.TypeReg, mode: 0o4775},
		{name: "./mine/data.txt", text: "x", kind: tar.TypeReg, mode: 0o666},
		{name: "mine/empty/", kind: tar.TypeDir, mode: fs.ModeDir | 0o700},
	}
	sums := map[string]string{}
	for format, data := range map[string][]byte{"tar.gz": tarGz(t,
		append([]entry{{kind: tar.TypeXGlobalHeader}}, entries...)...), "zip": zipped(t, entries...)} {
		dir, err := unpack(t, data, archive.DefaultLimits)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for name, mode := range map[string]fs.FileMode{"mine/bin/run": 0o555, "mine/data.txt": 0o444,
			"mine/empty": fs.ModeDir | 0o755} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode {
				t.Errorf("%s: %s has mode %v, %v; want %v", format, name, info.Mode(), err, mode)
			}
		}
		if sums[format], err = archive.HashTree(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	if sums["zip"] != sums["tar.gz"] {
		t.Errorf("the same files have the hashes %v", sums)
	}
}

func TestUnpack_RefusesPathTricks(t *testing.T) {
	file := func(name string) entry { return entry{name: name, text: "x", kind: tar.TypeReg, mode: 0o644} }
	both := map[string]struct {
		entries []entry
		want    string
	}{
		"parent":            {[]entry{file("../x")}, `"../x" is outside`},
		"parent inside":     {[]entry{file("a/../../x")}, "is outside"},
		"parent that stays": {[]entry{file("a/../x")}, "is outside"},
		"absolute":          {[]entry{file("/tmp/x")}, "is outside"},
		"backslash":         {[]entry{file(`..\x`)}, "backslash"},
		"control":           {[]entry{file("a\x1b[31mb")}, "control character"},
		"twice":             {[]entry{file("x"), file("./x")}, "twice"},
		"file as folder":    {[]entry{file("x"), file("x/y")}, "x"},
		"folder as file":    {[]entry{file("x/y"), file("x")}, "twice"},
		"empty":             {nil, "is empty"},
	}
	for name, c := range both {
		for format, data := range map[string][]byte{"tar.gz": tarGz(t, c.entries...), "zip": zipped(t, c.entries...)} {
			if _, err := unpack(t, data, archive.DefaultLimits); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: want %q, got %v", name, format, c.want, err)
			}
		}
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"symbolic link": {tarGz(t, entry{name: "l", kind: tar.TypeSymlink, link: "/etc"}, file("l/x")),
			`"l" is a link (to "/etc")`},
		"hard link":         {tarGz(t, entry{name: "l", kind: tar.TypeLink, link: "../../etc/passwd"}), "is a link"},
		"device":            {tarGz(t, entry{name: "d", kind: tar.TypeChar}), "neither a file nor a directory"},
		"pipe":              {tarGz(t, entry{name: "p", kind: tar.TypeFifo}), "neither a file nor a directory"},
		"zip with a link":   {zipped(t, entry{name: "l", text: "/etc", mode: fs.ModeSymlink | 0o777}), "is a link"},
		"zip with a device": {zipped(t, entry{name: "d", mode: fs.ModeDevice | 0o777}), "neither a file nor a directory"},
		"neither":           {[]byte("<!DOCTYPE html>"), "neither a .tar.gz nor a .zip"},
		"gzip of no archive": {gzipped(t, strings.Repeat("hello, I am a text that somebody has compressed", 100)),
			"read the archive"},
	} {
		if _, err := unpack(t, c.data, archive.DefaultLimits); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
}

func gzipped(t testing.TB, text string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestUnpack_IsBounded tests small archives that unpack to a huge size.
func TestUnpack_IsBounded(t *testing.T) {
	bomb := entry{name: "zeros", text: strings.Repeat("\x00", 8<<20), kind: tar.TypeReg, mode: 0o644}
	var many []entry
	for range 50 {
		many = append(many, entry{name: strings.Repeat("d/", len(many)+1), kind: tar.TypeDir, mode: fs.ModeDir | 0o755})
	}
	for format, pack := range map[string]func(testing.TB, ...entry) []byte{"tar.gz": tarGz, "zip": zipped} {
		dir, err := unpack(t, pack(t, bomb), archive.Limits{Bytes: 1 << 20, Entries: 10})
		if err == nil || !strings.Contains(err.Error(), `more than 1 MiB, at "zeros"`) {
			t.Errorf("%s: %v", format, err)
		}
		if info, err := os.Stat(filepath.Join(dir, "zeros")); err != nil || info.Size() > 1<<20+1 {
			t.Errorf("%s: %v %v were written", format, info, err)
		}
		if _, err := unpack(t, pack(t, many...), archive.Limits{Bytes: 1 << 20, Entries: 10}); err == nil ||
			!strings.Contains(err.Error(), "more than 10 entries") {
			t.Errorf("%s: %v", format, err)
		}
	}
	var headers []entry
	for range 50 {
		headers = append(headers, entry{kind: tar.TypeXGlobalHeader})
	}
	if _, err := unpack(t, tarGz(t, headers...), archive.Limits{Bytes: 1 << 20, Entries: 10}); err == nil ||
		!strings.Contains(err.Error(), "more than 10 headers") {
		t.Errorf("global headers: %v", err)
	}
}

// TestUnpack_NoticesEveryCut checks that a truncated archive is never accepted as complete.
func TestUnpack_NoticesEveryCut(t *testing.T) {
	entries := []entry{{name: "a", text: strings.Repeat("hello ", 100), kind: tar.TypeReg, mode: 0o644},
		{name: "b", text: "bye", kind: tar.TypeReg, mode: 0o644}}
	for format, data := range map[string][]byte{"tar.gz": tarGz(t, entries...), "zip": zipped(t, entries...)} {
		for n := range len(data) {
			if _, err := unpack(t, data[:n], archive.DefaultLimits); err == nil {
				t.Errorf("%s: %d of %d bytes were unpacked", format, n, len(data))
			}
		}
	}
}

func TestHashTree_SeesEveryChange(t *testing.T) {
	dir, err := unpack(t, tarGz(t, entry{name: "a/x", text: "1", kind: tar.TypeReg, mode: 0o644}), archive.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	sum := func() string {
		t.Helper()
		s, err := archive.HashTree(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	path, seen := filepath.Join(dir, "a/x"), map[string]bool{sum(): true}
	for _, c := range []struct {
		what   string
		change func() error
	}{
		{"mode", func() error { return os.Chmod(path, 0o755) }},
		{"text", func() error { return os.WriteFile(path, []byte("2"), 0o755) }},
		{"name", func() error { return os.Rename(path, path+"y") }},
		{"file", func() error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o644) }},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		now := sum()
		if seen[now] {
			t.Errorf("another %s is not seen", c.what)
		}
		seen[now] = true
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.HashTree(dir, nil); err == nil {
		t.Error("a link is part of a tree")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(tarGz(f, entry{name: "a/x", text: "1", kind: tar.TypeReg, mode: 0o644}))
	f.Add(zipped(f, entry{name: "a/x", text: "1", mode: 0o644}))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = unpack(t, data, archive.Limits{Bytes: 1 << 20, Entries: 100})
	})
}
