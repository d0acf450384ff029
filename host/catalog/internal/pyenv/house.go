package pyenv

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/wheels"
	pysdk "github.com/awhost/awhost/sdk/python"
)

// sdkWheel builds the wheel for the Python SDK that this binary contains.
var sdkWheel = sync.OnceValues(func() (*wheels.Wheel, error) { return wheels.Pure(pysdk.Sources) })

// house is the directory from which pip installs the SDK's wheel.
type house struct {
	dir string
	sdk *wheels.Wheel
}

func (h *house) constraints() string { return filepath.Join(h.dir, "constraints.txt") }

// newHouse writes the SDK's wheel to a directory under home. A constraint makes pip use this wheel, regardless of what
// an index offers under the same name: the SDK must match this host.
func newHouse(home string) (*house, error) {
	sdk, err := sdkWheel()
	if err != nil {
		return nil, err
	}
	h := &house{dir: filepath.Join(home, "wheels-"+short(sdk.Hash)), sdk: sdk}
	path := filepath.Join(h.dir, sdk.File)
	location := url.URL{Scheme: "file", Path: path}
	return h, errors.Join(os.MkdirAll(h.dir, 0o755), replaceFile(path, sdk.Data),
		replaceFile(h.constraints(), []byte(sdk.Name+" @ "+location.String()+"\n")))
}

// replaceFile writes a file unless it already has the given content.
func replaceFile(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return errors.Join(os.WriteFile(path+".new", text, 0o644), os.Rename(path+".new", path))
}
