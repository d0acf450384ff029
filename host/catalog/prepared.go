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
	Env     map[string]string // to start it with, beside the host's own
	Dir     string            // the directory of its sources; empty for what was downloaded
	Copies  string            // the folder whose files are copies of those in Dir: a Python package, whose tracebacks name them; empty: none
}

// CopyNote says where the files of a text that names copies come from, for whoever would change the wrong one; empty: it names none.
func (p *Prepared) CopyNote(text string) string {
	if p.Copies == "" || !strings.Contains(text, p.Copies) {
		return ""
	}
	return fmt.Sprintf("The files below %s are copies that were built of %s: change those.", p.Copies, p.Dir)
}

// Prepare makes a source executable below a state directory, for commands that are given a source instead of a name. To
// give one is to consent. Sources are those of a spec; relative paths are relative to the current directory.
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

// localName is what a source would likely be called in a spec.
func localName(source string) string {
	if address, err := url.Parse(source); err == nil && isURL(source) {
		source = address.Host + address.Path // what else it has is refused, see checkSource
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
