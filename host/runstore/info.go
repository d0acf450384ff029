package runstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal/disk"
)

// Info holds the content of run.json: the description of a run. It is written once.
type Info struct {
	Format   int       `json:"format"`
	ID       string    `json:"id"`       // globally unique: 32 hexadecimal digits
	Name     string    `json:"name"`     // of the train block, made valid as a folder name
	Number   int       `json:"number"`   // counts the runs of this name
	Identity string    `json:"identity"` // digest over spec, variables, plugins, data, protocol and base checkpoint
	Created  time.Time `json:"created"`
	Spec     string    `json:"spec"`     // path of the spec
	Awhost   string    `json:"awhost"`   // version that created the run
	Protocol int       `json:"protocol"` // plugin protocol version
	Machine  Machine   `json:"machine"`  // where it was created
	// Build is the awhost build that began the run. Runs of earlier versions do not have it.
	Build *build.Build `json:"build,omitempty"`
	// Plugins and Data are part of the input to Identity. Runs created by earlier versions do not have them.
	Plugins []UsedPlugin `json:"plugins,omitempty"`
	Data    []UsedData   `json:"data,omitempty"`
	// PolicyRun is the checkpoint from which the policy started; nil: the base model.
	PolicyRun *PolicyRun `json:"policy_run,omitempty"`
	// Steps is the value of --steps with which the run was started; 0: the spec's steps.
	Steps int `json:"steps,omitempty"`
	// Played is set if nothing is trained: the run stores interactively played episodes and has its own name.
	Played *Played `json:"played,omitempty"`
}

// PolicyRun is a checkpoint of another run from which a policy started.
type PolicyRun struct {
	Run        string `json:"run"` // its name, for display
	ID         string `json:"id"`
	Step       int    `json:"step"`
	Checkpoint string `json:"checkpoint"`       // the path that the adapter loads
	Digest     string `json:"digest,omitempty"` // of the content
}

// Played describes the played episodes in a run without training.
type Played struct {
	Train   string `json:"train"`   // name of the train block
	Dataset string `json:"dataset"` // address of the dataset whose tasks are played, all of them as in a validation
	Policy  string `json:"policy"`  // name of the answering policy, for display
}

// UsedPlugin is a plugin that served a block in the spec.
type UsedPlugin struct {
	Address string `json:"address"` // of the block
	Plugin  string `json:"plugin"`  // its local name
	Version string `json:"version"`
	Hash    string `json:"hash"` // of the program
}

// UsedData holds the number of tasks in a dataset and their hash.
type UsedData struct {
	Address     string `json:"address"`
	Tasks       int    `json:"tasks"`
	Fingerprint string `json:"fingerprint"` // SHA-256 of all tasks in order
}

// Ref returns the user's name for the run, such as "quickstart-3".
func (i Info) Ref() string { return fmt.Sprintf("%s-%d", i.Name, i.Number) }

// IsOf reports whether the run belongs to a train block.
func (i Info) IsOf(train string) bool {
	if i.Played != nil {
		return i.Played.Train == train
	}
	return folderName(train) == i.Name
}

// Machine holds the properties, apart from the binary, on which bit-equal results depend.
type Machine struct {
	OS          string   `json:"os"`
	Arch        string   `json:"arch"`
	Cores       int      `json:"cores"`
	CPUFeatures []string `json:"cpu_features"` // "AVX2", "FMA", …
}

// thisMachine describes the machine that this process runs on.
func thisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), CPUFeatures: []string{}}
	switch runtime.GOARCH {
	case "amd64":
		m.CPUFeatures = features(reflect.ValueOf(cpu.X86))
	case "arm64":
		m.CPUFeatures = features(reflect.ValueOf(cpu.ARM64))
	}
	return m
}

// features lists the fields named HasX that are true, in struct order.
func features(flags reflect.Value) []string {
	names := []string{}
	for i := range flags.NumField() {
		name, ok := strings.CutPrefix(flags.Type().Field(i).Name, "Has")
		if ok && flags.Field(i).Kind() == reflect.Bool && flags.Field(i).Bool() {
			names = append(names, name)
		}
	}
	return names
}

// SameNumbers reports whether two machines compute bit-equal results. The number of cores is irrelevant.
func (m Machine) SameNumbers(other Machine) bool {
	return m.Arch == other.Arch && strings.Join(m.CPUFeatures, " ") == strings.Join(other.CPUFeatures, " ")
}

// FormatError reports a file in a format that this version cannot read.
type FormatError struct {
	Path   string
	Format int
	Writer string // version of awhost that wrote it
}

// Error implements error.
func (e *FormatError) Error() string {
	reader := "a newer awhost"
	if e.Writer != "" {
		reader = "awhost " + e.Writer + " or newer"
	}
	return fmt.Sprintf("%s is in format %d, this awhost reads format %d: use %s", e.Path, e.Format, FormatVersion, reader)
}

// errNoInfo reports a directory without run.json.
var errNoInfo = fmt.Errorf("the file is missing: %w", fs.ErrNotExist)

// readInfo reads run.json. It checks the format fields first because other fields may have different meanings in other
// formats.
func readInfo(fsys disk.FS, dir string) (Info, error) {
	path := filepath.Join(dir, infoFile)
	data, err := disk.ReadFile(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, fmt.Errorf("read run: %s: %w", path, errNoInfo)
	}
	if err != nil {
		return Info{}, fmt.Errorf("read run: %w", err)
	}
	if err := checkFormat(path, data); err != nil {
		return Info{}, err
	}
	var info Info
	if err := json.Unmarshal(data, &info); err != nil {
		return Info{}, fmt.Errorf("read run: %s is damaged: %w", path, err)
	}
	return info, nil
}

// checkFormat reads the part of a JSON file that has the same meaning in every format.
func checkFormat(path string, data []byte) error {
	var head struct {
		Format int    `json:"format"`
		Awhost string `json:"awhost"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	if head.Format < 1 {
		return fmt.Errorf("%s is damaged: no format is specified", path)
	}
	if head.Format > FormatVersion {
		return &FormatError{Path: path, Format: head.Format, Writer: head.Awhost}
	}
	return nil
}

// encode returns the content of a JSON file: indented for people, with a final newline.
func encode(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(data, '\n'), nil
}

var _ error = (*FormatError)(nil)
