// Package lockfile reads and writes .awhost.lock.hcl: which content of the installed plugins a spec was made with.
//
//	format = 1
//
//	plugin "judge" {
//	  source  = "https://example.com/judge-1.2.0.tar.gz"
//	  version = "1.2.0"
//	  checksums = {
//	    any = "sha256:…"
//	  }
//	}
//
// The file belongs with the spec into version control. It is written whole and in one layout; a comment that somebody adds is lost.
package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// Name is the file's name, in the directory of the spec.
const Name = ".awhost.lock.hcl"

// format is the version of the file.
const format = 1

// Any is the platform of what is the same on all.
const Any = "any"

// maxBytes bounds what is read.
const maxBytes = 4 << 20

// Plugin is an entry.
type Plugin struct {
	Name      string            `hcl:"name,label"`
	Source    string            `hcl:"source"`
	Version   string            `hcl:"version"`   // as the plugin describes itself
	Checksums map[string]string `hcl:"checksums"` // of the file at source: platform ("linux_amd64", Any) to "sha256:…"
}

// Checksum is what the source has to have on a platform; empty when none is on record.
func (p Plugin) Checksum(platform string) string {
	if sum := p.Checksums[Any]; sum != "" {
		return sum
	}
	return p.Checksums[platform]
}

// File is the content, by local name.
type File map[string]Plugin

var (
	checksum = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	platform = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)?$`)
)

// Read reads the file of a directory; where there is none it has no entries.
func Read(dir string) (File, error) {
	path := filepath.Join(dir, Name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxBytes) {
		err = fmt.Errorf("%s is not a file of at most %d bytes", path, maxBytes)
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parse(text, path)
	if err != nil {
		return nil, fmt.Errorf("%w: restore it, or remove it and run `awhost init` to take the plugins as they are now", err)
	}
	return file, nil
}

func parse(text []byte, path string) (File, error) {
	parsed, problems := hclparse.NewParser().ParseHCL(text, path)
	if problems.HasErrors() {
		return nil, problems
	}
	var head struct {
		Format int      `hcl:"format"`
		Rest   hcl.Body `hcl:",remain"`
	}
	if problems := gohcl.DecodeBody(parsed.Body, nil, &head); problems.HasErrors() {
		return nil, problems
	}
	if head.Format != format {
		return nil, fmt.Errorf("%s has format %d and this awhost reads %d: use the awhost that wrote it", path, head.Format, format)
	}
	var body struct {
		Plugins []Plugin `hcl:"plugin,block"`
	}
	if problems := gohcl.DecodeBody(head.Rest, nil, &body); problems.HasErrors() {
		return nil, problems
	}
	file := File{}
	for _, p := range body.Plugins {
		if _, twice := file[p.Name]; twice {
			return nil, fmt.Errorf("%s has plugin %q twice", path, p.Name)
		}
		for on, sum := range p.Checksums {
			if !platform.MatchString(on) || !checksum.MatchString(sum) {
				return nil, fmt.Errorf("%s: plugin %q has the checksum %s = %q, which is none", path, p.Name, on, sum)
			}
		}
		file[p.Name] = p
	}
	return file, nil
}

// Write makes the file of a directory hold this, in one step. Nothing is written when it does already, or when there is
// nothing to write and no file.
func (f File) Write(dir string) error {
	path := filepath.Join(dir, Name)
	old, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(old, f.text()):
		return nil
	case errors.Is(err, fs.ErrNotExist) && len(f) == 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	sweep(dir)
	fresh, err := os.CreateTemp(dir, Name+temporary)
	if err != nil {
		return err
	}
	_, err = fresh.Write(f.text())
	if err = errors.Join(err, fresh.Chmod(0o644), fresh.Sync(), fresh.Close()); err == nil {
		err = os.Rename(fresh.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh.Name()))
	}
	return nil
}

// temporary follows the name of a file that is being written, and staleAfter is the age at which its writer was killed.
const (
	temporary  = ".tmp-*"
	staleAfter = time.Hour
)

// sweep removes what writers that were killed left.
func sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // so does writing, which says why
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasPrefix(e.Name(), Name+strings.TrimSuffix(temporary, "*")) && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func (f File) text() []byte {
	out := hclwrite.NewEmptyFile()
	body := out.Body()
	body.AppendUnstructuredTokens(hclwrite.TokensForIdentifier("# Written by awhost init. Keep it in version control, beside the spec.\n"))
	body.SetAttributeValue("format", cty.NumberIntVal(format))
	for _, name := range slices.Sorted(maps.Keys(f)) {
		p := f[name]
		body.AppendNewline()
		block := body.AppendNewBlock("plugin", []string{name}).Body()
		block.SetAttributeValue("source", cty.StringVal(p.Source))
		block.SetAttributeValue("version", cty.StringVal(p.Version))
		sums := map[string]cty.Value{}
		for on, sum := range p.Checksums {
			sums[on] = cty.StringVal(sum)
		}
		block.SetAttributeValue("checksums", cty.ObjectVal(sums))
	}
	return hclwrite.Format(out.Bytes())
}
