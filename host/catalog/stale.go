package catalog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/host/internal/wholefile"
)

// listTimeout limits `go list`, which only reads files and computes nothing.
const listTimeout = time.Minute

// Stale returns the accepted packages that are built from directories and whose sources changed after their program was
// built. Refresh would rebuild them. It builds and executes none of their code. It skips programs built by an older
// awhost, which recorded no sources.
func (c *Catalog) Stale(ctx context.Context) []string {
	var stale []string
	for _, name := range sortedNames(c.accepted) {
		record := c.accepted[name]
		if record.installed() || record.Sources == "" {
			continue
		}
		digest := sourceDigest
		switch record.Origin {
		case OriginPython:
			digest = pyenv.Sources
		case OriginCommand:
			digest = func(_ context.Context, dir string) (string, error) {
				_, sum, err := listDirectory(dir)
				return sum, err
			}
		}
		if now, err := digest(ctx, record.Path); err != nil || now != record.Sources {
			stale = append(stale, name) // a package that cannot be listed has changed
		}
	}
	return stale
}

// listed is the output of `go list` for a package.
type listed struct {
	Dir, ImportPath string
	Standard        bool
	Module          *struct {
		Version string
		Replace *struct{ Version string }
	}

	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles,
	EmbedFiles []string
}

const listedFields = "-json=Dir,ImportPath,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles"

// sourceDigest hashes all inputs of a Go package's build: the toolchain version, the contents of the files in every
// editable package, and the versions of all other modules.
func sourceDigest(ctx context.Context, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	version, err := goCommand(ctx, dir, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	text, err := goCommand(ctx, dir, "list", "-deps", listedFields, ".")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", version)
	for packages := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		err := packages.Decode(&p)
		if errors.Is(err, io.EOF) {
			return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			return "", fmt.Errorf("read the output of go list for %s: %w", dir, err)
		}
		if err := p.hash(h); err != nil {
			return "", err
		}
	}
}

// hash writes the identity of a package. The standard library is identified by the toolchain.
func (p *listed) hash(h io.Writer) error {
	switch m := p.Module; {
	case p.Standard:
		return nil
	case m != nil && m.Version != "" && m.Replace == nil:
		fmt.Fprintf(h, "%s@%s\n", p.ImportPath, m.Version)
		return nil
	case m != nil && m.Replace != nil && m.Replace.Version != "":
		fmt.Fprintf(h, "%s=>%s\n", p.ImportPath, m.Replace.Version)
		return nil
	}
	for _, name := range p.files() {
		sum, err := wholefile.Digest(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s/%s %s\n", p.ImportPath, name, sum)
	}
	return nil
}

func (p *listed) files() []string {
	return slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles,
		p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
}

// goCommand runs the go command with the user's settings and returns its output.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = buildEnv(cmd.Environ())
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s in %s: %w", args[0], dir, err)
	}
	return out, nil
}
