// Package lockfile reads and writes .awhost.lock.hcl, which records the content of the installed plugins and downloaded
// datasets that a spec was created with.
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
//	dataset "openai/gsm8k" "main" {
//	  commit = "e53f048856ff4f594e959d75785d2c2d37b678ee"
//	  files = {
//	    "main/test-00000-of-00001.parquet" = "sha256:…"
//	  }
//	}
//
// The file belongs in version control with the spec. It is always written in full and in one layout, so added comments
// are lost.
package lockfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/host/internal/wholefile"
)

// Name is the file's name in the spec's directory.
const Name = ".awhost.lock.hcl"

// format is the version of the file format.
const format = 1

// Any is the platform name for content that is the same on all platforms.
const Any = "any"

// maxBytes limits the file size.
const maxBytes = 4 << 20

// Plugin is a plugin's entry.
type Plugin struct {
	Name      string            `hcl:"name,label"`
	Source    string            `hcl:"source"`
	Version   string            `hcl:"version"`   // as reported by the plugin
	Checksums map[string]string `hcl:"checksums"` // of the file at source: platform ("linux_amd64", Any) to "sha256:…"
}

// Checksum returns the required checksum of the source for a platform, or an empty string if none is recorded.
func (p Plugin) Checksum(platform string) string {
	if sum := p.Checksums[Any]; sum != "" {
		return sum
	}
	return p.Checksums[platform]
}

// Dataset is a revision of a repository on a hub, with the files that blocks have used.
type Dataset struct {
	Repo     string            `hcl:"repo,label"`
	Revision string            `hcl:"revision,label"` // as written in blocks: a branch, a tag or a commit
	Commit   string            `hcl:"commit"`         // commit of the revision when it was pinned
	Files    map[string]string `hcl:"files"`          // path in the repository, with slashes, to "sha256:…"
}

// DatasetKey identifies a dataset in a File.
type DatasetKey struct{ Repo, Revision string }

// File is the content of the file: plugins by their local names, and datasets.
type File struct {
	Plugins  map[string]Plugin
	Datasets map[DatasetKey]Dataset
}

// New returns a file without entries.
func New() File { return File{Plugins: map[string]Plugin{}, Datasets: map[DatasetKey]Dataset{}} }

var (
	commit   = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	checksum = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	platform = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)?$`)
)

// Read reads the file from a directory. A missing file has no entries.
func Read(dir string) (File, error) {
	path := filepath.Join(dir, Name)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxBytes) {
		err = fmt.Errorf("%s is not a file or exceeds %d bytes", path, maxBytes)
	}
	if err != nil {
		return File{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	file, err := parse(text, path)
	if err != nil {
		return File{}, fmt.Errorf(
			"%w: restore it, or remove it and run `awhost init` to accept plugins and datasets as they are now",
			err,
		)
	}
	return file, nil
}

func parse(text []byte, path string) (File, error) {
	parsed, problems := hclsource.Parse(text, path)
	if problems.HasErrors() {
		return File{}, problems
	}
	var head struct {
		Format int      `hcl:"format"`
		Rest   hcl.Body `hcl:",remain"`
	}
	if problems := gohcl.DecodeBody(parsed.Body, nil, &head); problems.HasErrors() {
		return File{}, problems
	}
	if head.Format != format {
		return File{}, fmt.Errorf("%s has format %d, but this awhost reads %d: use the awhost that wrote it",
			path, head.Format, format)
	}
	var body struct {
		Plugins  []Plugin  `hcl:"plugin,block"`
		Datasets []Dataset `hcl:"dataset,block"`
	}
	if problems := gohcl.DecodeBody(head.Rest, nil, &body); problems.HasErrors() {
		return File{}, problems
	}
	file := New()
	for _, p := range body.Plugins {
		if err := file.addPlugin(p); err != nil {
			return File{}, fmt.Errorf("%s %w", path, err)
		}
	}
	for _, d := range body.Datasets {
		if err := file.addDataset(d); err != nil {
			return File{}, fmt.Errorf("%s %w", path, err)
		}
	}
	return file, nil
}

// addPlugin adds a parsed entry. Its error continues the file's path.
func (f File) addPlugin(p Plugin) error {
	if _, twice := f.Plugins[p.Name]; twice {
		return fmt.Errorf("has plugin %q twice", p.Name)
	}
	for on, sum := range p.Checksums {
		if !platform.MatchString(on) || !checksum.MatchString(sum) {
			return fmt.Errorf("has an invalid checksum for plugin %q: %s = %q", p.Name, on, sum)
		}
	}
	f.Plugins[p.Name] = p
	return nil
}

func (f File) addDataset(d Dataset) error {
	key := DatasetKey{d.Repo, d.Revision}
	if _, twice := f.Datasets[key]; twice {
		return fmt.Errorf("contains dataset %q %q twice", d.Repo, d.Revision)
	}
	if !commit.MatchString(d.Commit) {
		return fmt.Errorf("has an invalid commit for dataset %q %q: %q", d.Repo, d.Revision, d.Commit)
	}
	for name, sum := range d.Files {
		if !checksum.MatchString(sum) || !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("has an invalid file for dataset %q %q: %q = %q", d.Repo, d.Revision, name, sum)
		}
	}
	f.Datasets[key] = d
	return nil
}

// Write atomically replaces the file in a directory. It writes nothing if the file is unchanged, or if there are no
// entries and the file does not exist.
func (f File) Write(dir string) error {
	path := filepath.Join(dir, Name)
	old, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(old, f.text()):
		return nil
	case errors.Is(err, fs.ErrNotExist) && len(f.Plugins)+len(f.Datasets) == 0:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	_ = wholefile.Sweep(dir, Name+temporary) // if this fails, the error of writing explains it
	return wholefile.Write(path, Name+temporary, 0o644, wholefile.Text(f.text()))
}

// temporary is the suffix of a file that is being written.
const temporary = ".tmp-*"

func (f File) text() []byte {
	out := hclwrite.NewEmptyFile()
	body := out.Body()
	body.AppendUnstructuredTokens(
		hclwrite.TokensForIdentifier("# Written by awhost init. Keep it in version control, next to the spec.\n"),
	)
	body.SetAttributeValue("format", cty.NumberIntVal(format))
	for _, name := range slices.Sorted(maps.Keys(f.Plugins)) {
		p := f.Plugins[name]
		body.AppendNewline()
		block := body.AppendNewBlock("plugin", []string{name}).Body()
		block.SetAttributeValue("source", cty.StringVal(p.Source))
		block.SetAttributeValue("version", cty.StringVal(p.Version))
		block.SetAttributeValue("checksums", texts(p.Checksums))
	}
	keys := slices.SortedFunc(maps.Keys(f.Datasets), func(a, b DatasetKey) int {
		return cmp.Or(strings.Compare(a.Repo, b.Repo), strings.Compare(a.Revision, b.Revision))
	})
	for _, key := range keys {
		d := f.Datasets[key]
		body.AppendNewline()
		block := body.AppendNewBlock("dataset", []string{d.Repo, d.Revision}).Body()
		block.SetAttributeValue("commit", cty.StringVal(d.Commit))
		block.SetAttributeValue("files", texts(d.Files))
	}
	return hclwrite.Format(out.Bytes())
}

func texts(values map[string]string) cty.Value {
	out := map[string]cty.Value{}
	for name, text := range values {
		out[name] = cty.StringVal(text)
	}
	return cty.ObjectVal(out)
}
