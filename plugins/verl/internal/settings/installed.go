package settings

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// Installed is a verl on disk. It is read, never run: importing verl takes torch and seconds.
type Installed struct {
	framework.Installed
	Version        string // as verl says it: "0.9.1", "0.8.0.dev"
	RequiresPython string // of verl's metadata, ">=3.10"; empty: unknown
	release        release
	Configuration  *framework.Configuration
}

var verl = framework.Framework{
	Name: "verl", Package: "verl", Marker: "verl/trainer/config/_generated_ppo_trainer.yaml",
	Install: "pip install verl==0.9.1", Question: question(), Tested: tested,
}

// Find looks for the verl of a Python, as framework.Find does.
func Find(python string) (*Installed, error) {
	found, err := verl.Find(python, "")
	if err != nil {
		return nil, err
	}
	out := &Installed{Installed: *found}
	if err := out.readVersion(); err != nil {
		return nil, err
	}
	out.Configuration, err = verl.Configuration(out.Root, out.release)
	return out, err
}

// Absent returns the newest tested verl, which is not on this machine.
func Absent(python string) (*Installed, error) {
	found, c, err := verl.Absent(python)
	if err != nil {
		return nil, err
	}
	out := &Installed{Installed: *found, Version: c.Version, Configuration: c}
	out.release, err = framework.ParseRelease(c.Version)
	return out, err
}

// Configure looks for the verl of a Python and reads its configuration, as framework.Configure does.
func Configure(ctx context.Context, python string) (*Installed, error) {
	out, err := Find(python)
	if err == nil && !out.release.Before(v060) {
		out.Configuration, err = verl.Configure(ctx, &out.Installed, out.release)
	}
	return out, err
}

func (i *Installed) readVersion() error {
	metadata, _ := filepath.Glob(filepath.Join(i.Root, "verl-*.dist-info", "METADATA")) // the pattern is ours
	for _, path := range metadata {
		text, _ := os.ReadFile(path) // the version file has the version, too
		header, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader()
		i.Version, i.RequiresPython = header.Get("Version"), header.Get("Requires-Python")
	}
	text, err := os.ReadFile(filepath.Join(i.Root, "verl", "version", "version"))
	if err == nil {
		i.Version = strings.TrimSpace(string(text)) // of the code itself; metadata of an editable installation may be older
	} else if errors.Is(err, fs.ErrNotExist) && i.Version != "" {
		err = nil
	}
	if err == nil {
		i.release, err = framework.ParseRelease(i.Version)
	}
	if err != nil {
		return fmt.Errorf("read the version of verl in %s: %w", i.Root, err)
	}
	return nil
}
