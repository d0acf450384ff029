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

// listTimeout bounds `go list`, which reads and computes nothing.
const listTimeout = time.Minute

// Stale names the accepted packages in directories whose sources are not those that their program was built from: Refresh would
// build them. It builds and executes nothing of theirs. Of programs built by an older awhost, which noted no sources, nothing is
// known, and nothing said.
func (c *Catalog) Stale(ctx context.Context) []string {
	var stale []string
	for _, name := range sortedNames(c.accepted) {
		record := c.accepted[name]
		if record.installed() || record.Sources == "" {
			continue
		}
		digest := sourceDigest
		if record.Origin == OriginPython {
			digest = pyenv.Sources
		}
		if now, err := digest(ctx, record.Path); err != nil || now != record.Sources {
			stale = append(stale, name) // what cannot be listed any more cannot be what was built
		}
	}
	return stale
}

// listed is what `go list` says of a package.
type listed struct {
	Dir, ImportPath string
	Standard        bool
	Module          *struct {
		Version string
		Replace *struct{ Version string }
	}

	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles []string
}

const listedFields = "-json=Dir,ImportPath,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles"

// sourceDigest is over everything that a Go package is built from: the toolchain's version, the content of the files of
// every package that anybody could edit, and the versions of the modules that nobody can.
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
			return "", fmt.Errorf("read what go list says of %s: %w", dir, err)
		}
		if err := p.hash(h); err != nil {
			return "", err
		}
	}
}

// hash writes what identifies a package. The standard library goes with the toolchain.
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
	return slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles, p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles)
}

// goCommand runs the go command with the user's settings and returns what it prints.
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
