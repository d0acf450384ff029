package framework

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/python"
)

// Question selects the configurations that the probe describes.
type Question struct {
	Folder  string                `json:"folder"`  // of Hydra's files, below the root
	Configs map[string][][]string `json:"configs"` // by schema: a name and overrides; the first that exists counts
	Class   string                `json:"class"`   // the dataclass of the only schema, whose name is empty
	Classes []string              `json:"classes"` // dataclasses for Classes: full names
	Methods []string              `json:"methods"` // classes for Classes.Methods
}

// Configuration is the probe's answer: the configuration of a version of a framework.
type Configuration struct {
	Version string            `json:"version"`
	Names   []string          `json:"schemas"`
	Files   map[string]string `json:"files"` // SHA-256 by path below the root: the files that define the configuration
	Keys    []entry           `json:"keys"`
	Classes map[string]class  `json:"classes"` // by full name
	Guessed bool              `json:"-"`       // the installed version is another one
	Read    string            `json:"-"`       // what Configure has just read; empty: the answer was known
}

// Schema returns a schema by its name.
func (c *Configuration) Schema(name string, free ...string) (*Schema, error) {
	if !slices.Contains(c.Names, name) {
		return nil, fmt.Errorf("the configuration of version %s has no schema %q", c.Version, name)
	}
	out := &Schema{Free: free, Guessed: c.Guessed, places: map[string]Place{}}
	return out, out.addAll(slices.DeleteFunc(slices.Clone(c.Keys), func(e entry) bool {
		return len(e.In) > 0 && !slices.Contains(e.In, name)
	}))
}

// isOf reports whether an installation has the files that define the configuration, and whether that has the classes
// of a question.
func (c *Configuration) isOf(root string, q Question) bool {
	for _, name := range slices.Concat(q.Classes, q.Methods) {
		if _, ok := c.Classes[name]; !ok {
			return false
		}
	}
	for path, want := range c.Files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != want {
			return false
		}
	}
	return len(c.Files) > 0
}

// readConfigurations reads the answers of probes.
func readConfigurations(text io.Reader) (out []*Configuration, err error) {
	for decoder := json.NewDecoder(text); ; {
		var c Configuration
		if err := decoder.Decode(&c); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the answer of the probe: %w", err)
		}
		out = append(out, &c)
	}
}

// Configuration returns the configuration of an installation without starting Python. If it is neither a tested one nor
// one that Configure has stored, the nearest tested version's replaces it.
func (f Framework) Configuration(root string, release Release) (*Configuration, error) {
	text, err := gzip.NewReader(bytes.NewReader(f.Tested))
	if err != nil {
		return nil, err
	}
	tested, err := readConfigurations(text)
	if err != nil {
		return nil, err
	}
	stored, err := f.stored()
	if err != nil {
		return nil, err
	}
	nearest := tested[0]
	for _, c := range tested {
		if r, err := ParseRelease(c.Version); err == nil && release.AtLeast(r) {
			nearest = c
		}
	}
	all := append(tested, stored...)
	if at := slices.IndexFunc(all, func(c *Configuration) bool { return c.isOf(root, f.Question) }); at >= 0 {
		return all[at], nil
	}
	nearest.Guessed = true
	return nearest, nil
}

// Absent returns the newest tested version, for a plan for another machine. Root is empty.
func (f Framework) Absent(interpreter string) (*Installed, *Configuration, error) {
	c, err := f.Configuration("", Release{math.MaxInt})
	if err != nil {
		return nil, nil, err
	}
	c.Guessed = false
	return &Installed{Python: cmp.Or(interpreter, "python3"), Why: "not on this machine"}, c, nil
}

// Warning returns a plan's warning about a guessed configuration, or nothing.
func (f Framework) Warning(i *Installed, c *Configuration) []sdk.Diagnostic {
	if !c.Guessed {
		return nil
	}
	return []sdk.Diagnostic{{
		Severity: sdk.SeverityWarning, Summary: "Configuration not read yet", Path: []string{"python"},
		Detail: fmt.Sprintf("%s in %s is not a tested version. The plan uses the configuration of %s and accepts unknown "+
			"keys. Run `awhost init`, which reads the installed one, as `awhost apply` does.", f.Name, i.Root, c.Version),
	}}
}

// cache returns the folder of the stored answers.
func cache() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "awhost", "configurations"), err
}

func (f Framework) stored() (out []*Configuration, err error) {
	dir, err := cache()
	if err != nil {
		return nil, nil // without a cache, nothing can have been stored
	}
	paths, _ := filepath.Glob(filepath.Join(dir, f.Package+"-*.json")) // the pattern is valid
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		some, err := readConfigurations(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w: delete the file", path, err)
		}
		out = append(out, some...)
	}
	return out, nil
}

// probe describes a configuration with the framework's own libraries.
//
//go:embed probe.py
var probe string

// probeTimeout limits the probe, which takes seconds.
const probeTimeout = 5 * time.Minute

// Probe returns the configuration of an installation as its own Python describes it.
func (f Framework) Probe(ctx context.Context, interpreter, root, version string) ([]byte, error) {
	request, err := json.Marshal(struct {
		Question
		Root    string `json:"root"`
		Version string `json:"version"`
	}{f.Question, root, version})
	if err != nil {
		return nil, err
	}
	return python.Isolated(ctx, interpreter, probeTimeout, request, "-c", probe)
}

// Configure returns the configuration of an installation. If Configuration guesses, it runs the probe and stores the
// answer.
func (f Framework) Configure(ctx context.Context, i *Installed, release Release) (*Configuration, error) {
	c, err := f.Configuration(i.Root, release)
	if err != nil || !c.Guessed {
		return c, err
	}
	answer, err := f.Probe(ctx, i.Python, i.Root, release.String())
	if err != nil {
		return nil, fmt.Errorf("read the configuration of %s %s in %s: %w", f.Name, release, i.Root, err)
	}
	read, err := readConfigurations(bytes.NewReader(answer))
	if err == nil && len(read) != 1 {
		err = fmt.Errorf("the probe has %d answers", len(read))
	}
	if err != nil {
		return nil, fmt.Errorf("read the configuration of %s %s in %s: %w", f.Name, release, i.Root, err)
	}
	read[0].Read = fmt.Sprintf("read the configuration of %s %s in %s", f.Name, release, i.Root)
	if err := f.store(answer); err != nil {
		read[0].Read += fmt.Sprintf(", which cannot be stored, and is read again each time: %v", err)
	}
	return read[0], nil
}

// store adds an answer of the probe to the cache. Other processes may store the same one.
func (f Framework) store(answer []byte) error {
	dir, err := cache()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(answer)
	path := filepath.Join(dir, f.Package+"-"+hex.EncodeToString(sum[:8])+".json")
	fresh := fmt.Sprintf("%s.%d.new", path, rand.Uint64())
	return errors.Join(ownerfile.MkdirAll(dir), ownerfile.WriteFile(fresh, answer), os.Rename(fresh, path))
}

// Prober returns the Probe of an adapter with blocks of type C: where it may start programs, it reads the
// configurations of unknown versions by Configure.
func Prober[C any](
	configure func(context.Context, C) ([]*Configuration, error),
) func(context.Context, json.RawMessage, sdk.Probe) sdk.ProbeResponse {
	return func(ctx context.Context, block json.RawMessage, may sdk.Probe) (out sdk.ProbeResponse) {
		if may != sdk.ProbeStart {
			return out
		}
		var config C
		var all []*Configuration
		err := sdk.DecodeConfig(block, &config)
		if err == nil {
			all, err = configure(ctx, config)
		}
		if err != nil {
			return sdk.ProbeResponse{Diagnostics: []sdk.Diagnostic{{
				Severity: sdk.SeverityWarning, Summary: "Configuration not read", Path: []string{"python"},
				Detail: sdk.DescribeError(err) + ". Correct that, and run `awhost init` again.",
			}}}
		}
		for _, c := range all {
			if c.Read != "" {
				out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: c.Read})
			}
		}
		return out
	}
}
