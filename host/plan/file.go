package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/sdk"
)

// fileVersion is the version of saved plans that this package writes, and the newest version that it reads.
const fileVersion = 1

// File is a saved plan: the actions that apply performs and all of their inputs, so that apply can detect changes. It
// contains only the sources of secrets.
type File struct {
	Version int       `json:"awhost_plan"` // fileVersion; it and the next field keep name and meaning in all versions
	Awhost  string    `json:"awhost"`      // version that made the plan
	Created time.Time `json:"created"`

	Spec      string            `json:"spec"`                // absolute path
	Train     string            `json:"train"`               // name of the train block
	Vars      map[string]string `json:"vars,omitempty"`      // given by --var, except sensitive ones
	VarFiles  []string          `json:"var_files,omitempty"` // given by --var-file, absolute
	Overrides map[string]string `json:"overrides,omitempty"` // given after --
	PassEnv   []string          `json:"pass_env,omitempty"`
	New       bool              `json:"new,omitempty"`    // --new
	Steps     int               `json:"steps,omitempty"`  // --steps
	Policy    string            `json:"policy,omitempty"` // --policy

	Protocol int                 `json:"protocol"` // of plugins
	Resolved json.RawMessage     `json:"resolved"` // the spec with all values
	Needs    []string            `json:"needs"`    // addresses of the blocks that the run needs
	Plugins  []filePlugin        `json:"plugins"`
	Data     map[string]fileData `json:"data"` // by address
	Run      *fileRun            `json:"run,omitempty"`

	Report Report `json:"report"` // the plan for readers
}

// filePlugin is a plugin's state at the time when the plan was made.
type filePlugin struct {
	Address string `json:"address"` // of the block that it serves
	Name    string `json:"name"`
	Version string `json:"version"`
	Origin  string `json:"origin"`
	Hash    string `json:"hash"` // of the executed files
}

// fileData is a dataset's state at the time when the plan was made.
type fileData struct {
	Tasks       int    `json:"tasks"`
	Fingerprint string `json:"fingerprint"`
}

// fileRun is the state of the run that will be resumed, or of the finished run.
type fileRun struct {
	Ref         string `json:"ref"`
	ID          string `json:"id"`
	Status      string `json:"status"`
	Step        int    `json:"step"` // -1: nothing is committed
	Incarnation int    `json:"incarnation"`
}

// Given holds the user's command-line arguments for the plan, in addition to the spec.
type Given struct {
	Vars      map[string]string
	VarFiles  []string
	Overrides map[string]string
	PassEnv   []string
	New       bool
	Steps     int
	Policy    string
}

// Save returns the file for a plan. A plan with stale plugins cannot be saved, because the executables that apply needs
// do not exist yet.
func (p *Plan) Save(given Given, now time.Time) (*File, error) {
	if len(p.Stale) > 0 {
		return nil, fmt.Errorf("save the plan: %s: run `awhost init` to build it first", p.Why)
	}
	spec, err := filepath.Abs(p.Spec.Path)
	if err != nil {
		return nil, fmt.Errorf("save the plan: %w", err)
	}
	f := &File{
		Version: fileVersion, Awhost: sdk.Version, Created: now.UTC().Truncate(time.Second), Spec: spec, Train: p.Train.Name,
		Vars: p.plain(given.Vars), Overrides: given.Overrides, PassEnv: given.PassEnv, New: given.New, Steps: given.Steps,
		Policy:   given.Policy,
		Protocol: sdk.ProtocolVersion, Resolved: p.Spec.Resolved(), Needs: p.Spec.Reachable(p.Train.Name),
		Plugins: p.filePlugins(), Data: p.fileData(),
		Run: p.fileRun(), Report: p.Report(),
	}
	for _, path := range given.VarFiles {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("save the plan: %w", err)
		}
		f.VarFiles = append(f.VarFiles, path)
	}
	return f, nil
}

// plain returns the values of variables that are not marked as sensitive.
func (p *Plan) plain(vars map[string]string) map[string]string {
	out := map[string]string{}
	for _, v := range p.Spec.Variables {
		if text, given := vars[v.Name]; given && !v.Sensitive {
			out[v.Name] = text
		}
	}
	return out
}

func (p *Plan) filePlugins() []filePlugin {
	var out []filePlugin
	for _, c := range p.Components {
		out = append(out, filePlugin{c.Block.Address, c.Entry.Name, c.Entry.Description.Version, string(c.Entry.Origin),
			c.Entry.Hash})
	}
	return out
}

func (p *Plan) fileData() map[string]fileData {
	out := map[string]fileData{}
	for address, d := range p.Data {
		out[address] = fileData{d.Len(), d.Fingerprint()}
	}
	return out
}

func (p *Plan) fileRun() *fileRun {
	if p.Mode == event.ModeNew || p.Existing == nil {
		return nil
	}
	e := p.Existing
	return &fileRun{Ref: e.Ref(), ID: e.ID, Status: string(e.Status), Step: e.Step, Incarnation: e.Incarnation}
}

// Write writes the file atomically and makes it readable only by its owner.
func (f *File) Write(path string) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	if err := wholefile.Write(path, ".awhost-plan-*", 0o600, wholefile.Text(append(text, '\n'))); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// maxFileBytes limits how much is read from a possible plan file.
const maxFileBytes = 64 << 20

// ErrNoPlan reports that a file is not a saved plan.
var ErrNoPlan = errors.New("it is not a saved plan")

// ReadFile reads a saved plan, which is identified by its content, not by its name. It returns ErrNoPlan for other
// files.
func ReadFile(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, ErrNoPlan
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, ErrNoPlan
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxFileBytes))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	f, err := Parse(text)
	if err != nil && !errors.Is(err, ErrNoPlan) {
		return nil, fmt.Errorf("read the plan %s: %w", path, err)
	}
	return f, err
}

// Parse parses the text of a saved plan.
func Parse(text []byte) (*File, error) {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); !bytes.HasPrefix(trimmed, []byte("{")) ||
		!bytes.Contains(trimmed, []byte(`"awhost_plan"`)) {
		return nil, ErrNoPlan
	}
	var head struct {
		Version *int   `json:"awhost_plan"`
		Awhost  string `json:"awhost"`
	}
	switch err := json.Unmarshal(text, &head); {
	case err != nil:
		return nil, fmt.Errorf("it is damaged: make it again with awhost plan --out: %w", err)
	case head.Version == nil:
		return nil, ErrNoPlan // a spec in JSON that contains this word
	case *head.Version < 1:
		return nil, fmt.Errorf("it has version %d, which does not exist", *head.Version)
	case *head.Version > fileVersion:
		return nil, fmt.Errorf("it has version %d, but this awhost reads version %d: use awhost %s or "+
			"newer", *head.Version, fileVersion, head.Awhost)
	}
	f := &File{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, fmt.Errorf("it is damaged: make it again with awhost plan --out: %w", err)
	}
	if f.Spec == "" || f.Train == "" || !json.Valid(f.Resolved) {
		return nil, errors.New("it is damaged: make it again with awhost plan --out")
	}
	return f, nil
}

// Changes returns sentences that describe what has changed since the plan was saved. p is the current plan.
func (f *File) Changes(p *Plan) []string {
	var out []string
	if f.Protocol != sdk.ProtocolVersion {
		out = append(out, fmt.Sprintf("the plugin protocol was %d and is %d", f.Protocol, sdk.ProtocolVersion))
	}
	out = append(out, f.specChanges(p)...)
	out = append(out, f.pluginChanges(p)...)
	out = append(out, f.dataChanges(p)...)
	if len(out) > 0 {
		return out // the plan would be for another run
	}
	if f.Report.Identity != p.Identity {
		return []string{"something that the run depends on has changed"}
	}
	return f.runChanges(p)
}

func (f *File) pluginChanges(p *Plan) []string {
	var out []string
	rebuilt := false
	now := p.filePlugins()
	for _, was := range f.Plugins {
		i := slices.IndexFunc(now, func(is filePlugin) bool { return is.Address == was.Address })
		switch {
		case slices.Contains(p.Stale, was.Name):
			out = append(out, fmt.Sprintf("the sources of plugin %s, which serves %s, have changed", was.Name, was.Address))
		case i < 0 || now[i] == was:
		case now[i].Origin == was.Origin && was.Origin == "bundled" && now[i].Name == was.Name:
			rebuilt = true // all of them at once
		default:
			out = append(out, fmt.Sprintf("plugin %s, which serves %s, was %s %s (%s) and is %s %s (%s)", was.Name, was.Address,
				was.Name, was.Version, short(was.Hash), now[i].Name, now[i].Version, short(now[i].Hash)))
		}
	}
	if rebuilt {
		out = append(out, fmt.Sprintf("the plan was made by another build of awhost (%s), and the bundled plugins are part of it", f.Awhost))
	}
	return out
}

func (f *File) dataChanges(p *Plan) []string {
	var out []string
	now := p.fileData()
	for address, was := range f.Data {
		if is, there := now[address]; there && is != was {
			out = append(out, fmt.Sprintf("the tasks of %s have changed: there were %d and are %d", address, was.Tasks,
				is.Tasks))
		}
	}
	slices.Sort(out)
	return out
}

func (f *File) runChanges(p *Plan) []string {
	is := p.fileRun()
	switch was := f.Run; {
	case was == nil && is == nil:
		return nil
	case was == nil:
		return []string{fmt.Sprintf("this spec had no run when the plan was made, and now has %s", is.Ref)}
	case is == nil:
		return []string{fmt.Sprintf("run %s no longer exists", was.Ref)}
	case is.ID != was.ID:
		return []string{fmt.Sprintf("the plan is for run %s, but the latest run of this spec is %s", was.Ref, is.Ref)}
	case *is != *was:
		return []string{fmt.Sprintf("run %s was %s and is %s", was.Ref, was.standing(), is.standing())}
	}
	return nil
}

func (r *fileRun) standing() string {
	if r.Step < 0 {
		return fmt.Sprintf("%s before its first commit (start %d)", r.Status, r.Incarnation)
	}
	return fmt.Sprintf("%s at step %d (start %d)", r.Status, r.Step, r.Incarnation)
}
