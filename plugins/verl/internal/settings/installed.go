package settings

import (
	"bufio"
	"bytes"
	"context"
	"net/textproto"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk/framework"
)

// Installed is a verl on disk. It is read, never run: importing verl takes torch and seconds.
type Installed struct {
	framework.Described
	RequiresPython string // of verl's metadata, ">=3.10"; empty: unknown
}

var verl = framework.Framework{
	Name: "verl", Package: "verl", Marker: "verl/trainer/config/_generated_ppo_trainer.yaml",
	Install: "pip install verl==0.9.1", Question: question(), Tested: tested,
}

// Find looks for the verl of a Python, as framework.Find does.
func Find(python string) (*Installed, error) {
	found, err := verl.Describe(python, "", "verl/version/version")
	if err != nil {
		return nil, err
	}
	out := &Installed{Described: *found}
	metadata, _ := filepath.Glob(filepath.Join(out.Root, "verl-*.dist-info", "METADATA")) // the pattern is ours
	for _, path := range metadata {
		text, _ := os.ReadFile(path) // a checkout has none
		header, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(text))).ReadMIMEHeader()
		out.RequiresPython = header.Get("Requires-Python")
	}
	return out, nil
}

// Absent returns the newest tested verl, which is not on this machine.
func Absent(python string) (*Installed, error) {
	found, err := verl.DescribeAbsent(python)
	if err != nil {
		return nil, err
	}
	return &Installed{Described: *found}, nil
}

// Configure looks for the verl of a Python and reads its configuration, as framework.Configure does.
func Configure(ctx context.Context, python string) (*Installed, error) {
	out, err := Find(python)
	if err == nil && !out.Release.Before(v060) {
		err = verl.Reread(ctx, &out.Described)
	}
	return out, err
}
