package commandplugin

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/awhost/awhost/sdk/sandbox"
)

// maxComparedBytes bounds the size of a file that is compared line by line.
const maxComparedBytes = 1 << 20

// collected holds the information about a program and its directory that is passed to rewards as metadata.program. It
// is identical for identical episodes: it contains no times, and only paths below the working directory.
type collected struct {
	ExitCode int               `json:"exit_code"` // -1: ended by a signal
	Stopped  string            `json:"stopped,omitempty"`
	Turns    int               `json:"turns"`
	Diff     *string           `json:"diff,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Cut      bool              `json:"cut,omitempty"` // collect_bytes was exceeded
}

// collect reads the working directory after all processes in it have ended. Links that lead out of the directory are
// not followed.
func (c *config) collect(work string) (collected, error) {
	out, left := collected{}, c.CollectBytes
	take := func(text string) string {
		if len(text) > left {
			text, out.Cut = strings.ToValidUTF8(text[:left], ""), true
		}
		left -= len(text)
		return text
	}
	if len(c.Collect) > 0 {
		out.Files = map[string]string{}
		after, err := listFiles(work)
		if err != nil {
			return out, err
		}
		for _, name := range after {
			if !slices.ContainsFunc(c.Collect, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }) {
				continue
			}
			if len(out.Files) == sandbox.MaxNames {
				out.Cut = true
				break
			}
			text, err := readBelow(work, name, int64(left)+1)
			if err != nil {
				continue // unreadable or deleted
			}
			if !isText(text, len(text) > left) {
				text = []byte(binary)
			}
			out.Files[name] = take(string(text))
		}
	}
	if c.Diff {
		text, err := compare(c.Template, work)
		if err != nil {
			return out, err
		}
		text = take(text)
		out.Diff = &text
	}
	return out, nil
}

const binary = "(not text)"

// isText reports whether a file is text. The last rune of a truncated file may be incomplete.
func isText(b []byte, cut bool) bool {
	for range utf8.UTFMax {
		if utf8.Valid(b) {
			return !bytes.ContainsRune(b, 0)
		}
		if !cut {
			return false
		}
		b = b[:len(b)-1]
	}
	return false
}

// listFiles returns the files and links below a directory by name, with slashes, sorted. A missing directory has no
// files. Git's own files are omitted.
func listFiles(folder string) ([]string, error) {
	if folder == "" {
		return nil, nil
	}
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			return nil // the program may change its folder in any way
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
			return nil
		}
		name, err := filepath.Rel(folder, path)
		if err == nil && name != "." {
			out = append(out, filepath.ToSlash(name))
		}
		return err
	})
	slices.Sort(out)
	return out, err
}

// readBelow reads a file below a directory, up to a given size. For a link, it returns the path of the link's target.
func readBelow(folder, name string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := root.Readlink(name)
		return []byte("link to " + target + "\n"), err
	}
	return sandbox.ReadFile(root, name, most)
}

// compare returns the difference between two directories in the unified format used by patch and git apply.
func compare(template, work string) (string, error) {
	before, err := listFiles(template)
	if err != nil {
		return "", err
	}
	after, err := listFiles(work)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	names := slices.Concat(before, after)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		_, was := slices.BinarySearch(before, name)
		_, is := slices.BinarySearch(after, name)
		from, to, a, b := "/dev/null", "/dev/null", []byte(nil), []byte(nil)
		if was {
			if a, err = readBelow(template, name, maxComparedBytes+1); err != nil {
				return "", err
			}
			from = "a/" + name
		}
		if is {
			if b, err = readBelow(work, name, maxComparedBytes+1); err != nil {
				b = []byte("(not readable)\n")
			}
			to = "b/" + name
		}
		switch {
		case was && is && bytes.Equal(a, b) && len(a) <= maxComparedBytes:
		case len(a) > maxComparedBytes || len(b) > maxComparedBytes || !isText(a, false) || !isText(b, false):
			out.WriteString("Binary or large files " + from + " and " + to + " differ\n")
		default:
			out.Write(unifiedDiff(from, a, to, b))
		}
	}
	return out.String(), nil
}

// unifiedDiff returns the difference computed by go-internal, without its first line.
func unifiedDiff(from string, a []byte, to string, b []byte) []byte {
	text := diff.Diff(from, a, to, b)
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
		return rest
	}
	if from == "/dev/null" || to == "/dev/null" { // an empty file
		return []byte("--- " + from + "\n+++ " + to + "\n")
	}
	return text
}
