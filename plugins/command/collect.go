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

// mostCompared bounds a file whose difference is shown line by line.
const mostCompared = 1 << 20

// collected is what rewards get of a program and its folder, as metadata.program. It says nothing that differs between
// equal episodes: no times, and no paths but those below the working directory.
type collected struct {
	ExitCode int               `json:"exit_code"` // -1: a signal ended it
	Stopped  string            `json:"stopped,omitempty"`
	Turns    int               `json:"turns"`
	Diff     *string           `json:"diff,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Cut      bool              `json:"cut,omitempty"` // there was more than collect_bytes
}

// collect reads the working directory when nothing runs in it any more. Links are not followed out of it.
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
			if len(out.Files) == sandbox.MostNames {
				out.Cut = true
				break
			}
			text, err := readBelow(work, name, int64(left)+1)
			if err != nil {
				continue // it may not be read, or has gone
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

// isText reports whether a file can be shown. The last rune of one that was cut may be cut, too.
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

// listFiles are the files and links below a folder, by their names with slashes, in order. A folder that is gone has
// none, and git's own files are left out.
func listFiles(folder string) ([]string, error) {
	if folder == "" {
		return nil, nil
	}
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			return nil // the program may do what it likes with its folder
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

// readBelow reads a file below a folder up to a size. A link is read as where it leads.
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

// compare is the difference between two folders, in the unified form that patch and git apply read.
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
			if a, err = readBelow(template, name, mostCompared+1); err != nil {
				return "", err
			}
			from = "a/" + name
		}
		if is {
			if b, err = readBelow(work, name, mostCompared+1); err != nil {
				b = []byte("(not readable)\n")
			}
			to = "b/" + name
		}
		switch {
		case was && is && bytes.Equal(a, b) && len(a) <= mostCompared:
		case len(a) > mostCompared || len(b) > mostCompared || !isText(a, false) || !isText(b, false):
			out.WriteString("Binary or large files " + from + " and " + to + " differ\n")
		default:
			out.Write(unified(from, a, to, b))
		}
	}
	return out.String(), nil
}

// unified leaves the line out by which go-internal's difference begins.
func unified(from string, a []byte, to string, b []byte) []byte {
	text := diff.Diff(from, a, to, b)
	if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
		return rest
	}
	if from == "/dev/null" || to == "/dev/null" { // of an empty file
		return []byte("--- " + from + "\n+++ " + to + "\n")
	}
	return text
}
