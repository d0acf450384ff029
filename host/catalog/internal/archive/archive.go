// Package archive unpacks untrusted archives and hashes unpacked trees.
//
// An archive may only contain regular files and directories. An entry outside the target directory (.., absolute paths,
// links, devices), a duplicate entry, or one that exceeds the limits causes an error that names the entry. In that
// case, the unpacked files must not be used.
//
//	err := archive.Unpack(file, "installed/.tmp-1", archive.DefaultLimits)
//
// The package must not depend on the use of the archives.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/awhost/awhost/host/internal/wholefile"
)

// Format is the format of a file, as detected from its first bytes.
type Format string

// The formats. Program is a file that the kernel executes: a script with #!, or an ELF or Mach-O binary.
const (
	TarGz   Format = "tar.gz"
	Zip     Format = "zip"
	Program Format = "program"
	Other   Format = ""
)

// Sniff detects the format of a file. It does not change the file's offset.
func Sniff(file io.ReaderAt) (Format, error) {
	start := make([]byte, 8)
	n, err := file.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Other, err
	}
	for _, known := range []struct {
		magic  string
		format Format
	}{
		{"\x1f\x8b", TarGz},
		{"PK\x03\x04", Zip}, {"PK\x05\x06", Zip},
		{"#!", Program}, {"\x7fELF", Program}, {"\xcf\xfa\xed\xfe", Program}, {"\xca\xfe\xba\xbe", Program},
	} {
		if bytes.HasPrefix(start[:n], []byte(known.magic)) {
			return known.format, nil
		}
	}
	return Other, nil
}

// Limits limits the contents of an archive.
type Limits struct {
	Bytes   int64 // total size of the unpacked files
	Entries int
}

// DefaultLimits are sufficient for a plugin without models.
var DefaultLimits = Limits{Bytes: 4 << 30, Entries: 100_000}

// Unpack writes an archive's contents to dir, which must be empty. Files become read-only, and executable if the
// archive marks them as executable.
func Unpack(file *os.File, dir string, limits Limits) error {
	format, err := Sniff(file)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	u := &unpacker{root: root, left: limits.Bytes, limits: limits}
	switch format {
	case TarGz:
		return u.tar(file)
	case Zip:
		return u.zip(file)
	}
	return errors.New("it is neither a .tar.gz nor a .zip archive")
}

type unpacker struct {
	root    *os.Root
	limits  Limits
	left    int64 // bytes
	entries int
	headers int // not counted as entries
}

func (u *unpacker) tar(file *os.File) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	plain, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	defer plain.Close()
	entries := tar.NewReader(plain)
	for {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return errors.Join(u.rest(plain), u.complete())
		}
		if err != nil {
			return broken(err)
		}
		switch h.Typeflag {
		case tar.TypeReg:
			err = u.file(h.Name, h.FileInfo().Mode()&0o111 != 0, entries)
		case tar.TypeDir:
			err = u.directory(h.Name)
		case tar.TypeXGlobalHeader: // information about the commit, written by git archive
			err = u.header(h)
		case tar.TypeSymlink, tar.TypeLink:
			err = fmt.Errorf("%q is a link (to %q): archives with links are not supported; include the files "+
				"themselves", h.Name, h.Linkname)
		default:
			err = fmt.Errorf("%q is neither a file nor a directory", h.Name)
		}
		if err != nil {
			return err
		}
	}
}

// header applies the limits to headers of the archive itself.
func (u *unpacker) header(h *tar.Header) error {
	for name, value := range h.PAXRecords {
		u.left -= int64(len(name) + len(value))
	}
	if u.headers++; u.headers > u.limits.Entries || u.left < 0 {
		return fmt.Errorf("the archive has more than %d headers, or its headers exceed %d MiB", u.limits.Entries,
			u.limits.Bytes>>20)
	}
	return nil
}

// rest reads the data after the last entry, so that gzip's checksum is also verified.
func (u *unpacker) rest(plain io.Reader) error {
	n, err := io.Copy(io.Discard, io.LimitReader(plain, u.left+1))
	switch {
	case err != nil:
		return broken(err)
	case n > u.left:
		return fmt.Errorf("the archive contains more than %d MiB of data after its end", u.limits.Bytes>>20)
	}
	return nil
}

func (u *unpacker) zip(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	r, err := zip.NewReader(file, info.Size())
	if err != nil {
		return broken(err)
	}
	for _, f := range r.File {
		if err := u.zipped(f); err != nil {
			return err
		}
	}
	return u.complete()
}

func (u *unpacker) zipped(f *zip.File) error {
	switch mode := f.Mode(); {
	case mode.IsDir():
		return u.directory(f.Name)
	case mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a link: archives with links are not supported; include the files themselves", f.Name)
	case !mode.IsRegular():
		return fmt.Errorf("%q is neither a file nor a directory", f.Name)
	}
	in, err := f.Open()
	if err != nil {
		return broken(err)
	}
	defer in.Close()
	return u.file(f.Name, f.Mode()&0o111 != 0, in)
}

// complete rejects an empty archive, which is either truncated or the wrong file.
func (u *unpacker) complete() error {
	if u.entries == 0 {
		return errors.New("the archive is empty")
	}
	return nil
}

func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the archive is truncated: %w", err)
	}
	return fmt.Errorf("read the archive: %w", err)
}

// place validates an entry's path. In addition, os.Root prevents paths outside the directory.
func (u *unpacker) place(name string) (string, error) {
	if u.entries++; u.entries > u.limits.Entries {
		return "", fmt.Errorf("the archive has more than %d entries", u.limits.Entries)
	}
	clean := path.Clean(name)
	switch {
	case strings.ContainsAny(name, `\`) || strings.ContainsFunc(name, unicode.IsControl):
		return "", fmt.Errorf("%q: names with backslashes or control characters are not supported", name)
	case path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)) || hasParent(name):
		return "", fmt.Errorf("%q is outside the folder into which the archive is unpacked", name)
	}
	return clean, nil
}

func hasParent(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

func (u *unpacker) directory(name string) error {
	clean, err := u.place(name)
	if err != nil || clean == "." {
		return err
	}
	return u.root.MkdirAll(filepath.FromSlash(clean), 0o755)
}

func (u *unpacker) file(name string, executable bool, content io.Reader) error {
	clean, err := u.place(name)
	if err != nil {
		return err
	}
	if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(clean)), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o444)
	if executable {
		mode = 0o555
	}
	return wholefile.WithoutForks(func() error {
		out, err := u.root.OpenFile(filepath.FromSlash(clean), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%q appears twice in the archive, or differs from another name only in case", name)
		}
		if err != nil {
			return err
		}
		n, err := io.Copy(out, io.LimitReader(content, u.left+1))
		if closed := out.Close(); err == nil {
			err = closed
		} else {
			err = broken(err)
		}
		if u.left -= n; u.left < 0 {
			return fmt.Errorf("the archive contains more than %d MiB, at %q", u.limits.Bytes>>20, name)
		}
		return err
	})
}
