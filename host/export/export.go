// Package export writes a run's checkpoint in the format of another program: a directory that transformers can load.
//
//	source, err := export.Find(ctx, store, "quickstart-3/step-60")   // "": the best checkpoint of the newest run
//	out, err := export.Write(ctx, export.Config{Source: source, Catalog: c, Format: "hf", Target: "model"})
//
// Only the adapter that trained a checkpoint can read it, so the adapter writes the export. The adapter's plugin is
// started for this purpose, with the configuration that the run has recorded. The package is responsible for selecting
// the checkpoint and ensures that nothing is overwritten. It must not depend on a model's contents.
package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/standalone"
	"github.com/awhost/awhost/sdk"
)

// Config configures an export.
type Config struct {
	Source  *Source
	Catalog *catalog.Catalog
	Adapter string // type of the adapter, if the source does not contain it
	Format  string // such as "hf"
	Target  string // the directory to create
	PassEnv []string
	Guard   []string // see standalone.Config
}

// timeout limits the export, because exporting checkpoints of large models takes a while.
const timeout = 2 * time.Hour

// Write exports a checkpoint completely or not at all. The target must not exist, or must be an empty directory.
func Write(ctx context.Context, c Config) (*sdk.ExportResponse, error) {
	typ, err := c.adapter()
	if err != nil {
		return nil, err
	}
	target, err := filepath.Abs(c.Target)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", c.Target, err)
	}
	if err := checkFree(c.Target); err != nil {
		return nil, err
	}
	p, err := standalone.Start(ctx, standalone.Config{
		Catalog: c.Catalog, Kind: sdk.KindAdapter, Type: typ, Block: c.Source.block(), Dir: c.Source.specDir(),
		PassEnv: c.PassEnv, Guard: c.Guard, For: "export",
	})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	exporter, ok := p.Adapter().(sdk.AdapterWithExport)
	if !ok {
		return nil, fmt.Errorf("adapter %q cannot export", typ)
	}
	if err := makeWay(target); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out, err := exporter.Export(ctx, sdk.ExportRequest{Checkpoint: c.Source.Dir, Format: c.Format, Target: target})
	if err != nil {
		return nil, p.Explain(err)
	}
	if len(out.Files) == 0 {
		return nil, fmt.Errorf("adapter %q reports an export of %s to %s without files: this is a fault of its "+
			"plugin", typ, c.Source.Dir, target)
	}
	return out, nil
}

// adapter returns the type of the adapter that writes the format.
func (c Config) adapter() (string, error) {
	typ := c.Source.adapter
	if c.Adapter != "" {
		typ = c.Adapter
	}
	if typ == "" {
		return "", fmt.Errorf("the adapter of %s is unknown, because it is not in a run's directory: name the adapter "+
			"with --adapter", c.Source.Dir)
	}
	entry, err := c.Catalog.Resolve(string(sdk.KindAdapter), typ)
	if err != nil {
		return "", err
	}
	component, _ := entry.Description.Component(sdk.KindAdapter, typ)
	formats := component.Adapter.ExportFormats
	switch {
	case len(formats) == 0:
		return "", fmt.Errorf("adapter %q has no export formats: %s contains the files that its framework "+
			"wrote", typ, c.Source.Dir)
	case !slices.Contains(formats, c.Format):
		return "", fmt.Errorf("adapter %q does not support format %q: use %s", typ, c.Format, strings.Join(formats, ", "))
	}
	return typ, nil
}

// checkFree returns an error if the target is not empty.
func checkFree(target string) error {
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("export to %s: the path exists and is not a directory: choose another name", target)
	case len(entries) > 0:
		return fmt.Errorf("export to %s: the directory is not empty: choose another, or remove its contents", target)
	}
	return nil
}

// makeWay creates the target's parent directory and removes an empty target: the adapter creates the entire directory
// at once.
func makeWay(target string) error {
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("export to %s: %w", target, err)
	}
	if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("export to %s: %w", target, err)
	}
	return nil
}

// block returns the adapter's recorded configuration, or nil if it has secrets, which are not recorded.
func (s *Source) block() json.RawMessage {
	if bytes.Contains(s.config, []byte(`"$secret"`)) {
		return nil
	}
	return s.config
}
