package catalog

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Prepared is a source that can be executed without a spec.
type Prepared struct {
	Command []string
	Env     map[string]string // added to the host's environment for the process
	Dir     string            // the directory of its sources; empty for a download
	Copies  string            // a folder of copies of the files in Dir, for a Python package: its tracebacks name them
}

// CopyNote explains the origin of copies that are named in a message, so that users edit the right files. It returns an
// empty string if the message does not name a copy.
func (p *Prepared) CopyNote(text string) string {
	if p.Copies == "" || !strings.Contains(text, p.Copies) {
		return ""
	}
	return fmt.Sprintf("The files in %s are copies built from %s: edit the originals.", p.Copies, p.Dir)
}

// Prepare makes a source executable in a state directory, for commands that take a source instead of a name. Passing
// one implies consent. Sources have the same form as in a spec; relative paths are relative to the current directory.
func Prepare(ctx context.Context, source, stateDir string, progress func(name, doing string)) (*Prepared, error) {
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	name := localName(source)
	c, err := Open(Config{Sources: map[string]string{name: source}, SpecDir: dir, StateDir: stateDir, Progress: progress})
	if err != nil {
		return nil, err
	}
	p, err := c.prepare(ctx, name, product{}, true)
	if err != nil {
		return nil, err
	}
	prepared := &Prepared{Command: p.command(), Env: p.env()}
	if path := c.sourcePath(name); !isURL(source) {
		prepared.Dir = path
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			prepared.Dir = filepath.Dir(path)
		} else if p.Deps != "" {
			prepared.Copies = p.Root
		}
	}
	return prepared, nil
}

// Describe runs `PROGRAM describe`.
func (p *Prepared) Describe(ctx context.Context) (*sdk.Description, error) {
	text, err := runDescribe(ctx, p.Command, defaultDescribeTimeout)
	if err != nil {
		return nil, err
	}
	return sdk.ParseDescription(text)
}

// localName returns the name that a source is likely to have in a spec.
func localName(source string) string {
	if address, err := url.Parse(source); err == nil && isURL(source) {
		source = address.Host + address.Path // checkSource rejects its other parts
	}
	base := filepath.Base(filepath.Clean(filepath.FromSlash(strings.TrimRight(source, "/"))))
	if base == "." || base == ".." {
		if dir, err := filepath.Abs(source); err == nil {
			base = filepath.Base(dir)
		}
	}
	for _, suffix := range []string{".tar.gz", ".tgz", ".zip"} {
		base = strings.TrimSuffix(base, suffix)
	}
	if base = strings.Trim(base, "./"); base == "" {
		return "plugin"
	}
	return base
}
