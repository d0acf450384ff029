package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// identity returns the digest of everything that the result depends on: the meaning of the spec, the plugins that it
// uses, the data and files that it names, and the protocol.
func (p *Plan) identity() (string, error) {
	return p.identityOf(p.build, func(c *Component) string { return c.Entry.Hash })
}

// IdentityAs returns the identity that the plan would have with the awhost build that started a run. If it equals the
// run's identity, only the build differs.
func (p *Plan) IdentityAs(info runstore.Info) (string, error) {
	began := ""
	if info.Build != nil {
		began = info.Build.Identity
	}
	return p.identityOf(began, func(c *Component) string {
		i := slices.IndexFunc(info.Plugins, func(u runstore.UsedPlugin) bool {
			return u.Address == c.Block.Address &&
				u.Plugin == c.Entry.Name
		})
		if i >= 0 && c.Entry.Origin == catalog.OriginBundled {
			return info.Plugins[i].Hash
		}
		return c.Entry.Hash
	})
}

func (p *Plan) identityOf(build string, hashOf func(*Component) string) (string, error) {
	type pluginContent struct{ Address, Hash string }
	type dataContent struct{ Address, Fingerprint string }
	type fileContent struct{ Address, Attribute, Hash string }
	content := struct {
		Format   int
		Spec     json.RawMessage
		Train    string
		Plugins  []pluginContent
		Data     []dataContent
		Files    []fileContent `json:",omitempty"`
		Protocol int
		Build    string `json:",omitempty"`
		Policy   string `json:",omitempty"`
	}{Format: 1, Spec: cmp.Or(p.began, p.Spec).Identity(p.Train.Name), Train: p.Train.Name,
		Protocol: sdk.ProtocolVersion, Build: build, Policy: p.Start.identity()}
	for _, c := range p.Components {
		content.Plugins = append(content.Plugins, pluginContent{c.Block.Address, hashOf(c)})
		for attribute, path := range c.files() {
			hash, err := wholefile.Digest(path)
			if err != nil {
				return "", fmt.Errorf("identify the run: %s: %w", c.Block.Address, err)
			}
			content.Files = append(content.Files, fileContent{c.Block.Address, attribute, hash})
		}
	}
	for address, d := range p.Data {
		content.Data = append(content.Data, dataContent{address, d.Fingerprint()})
	}
	slices.SortFunc(content.Files, func(a, b fileContent) int {
		return strings.Compare(a.Address+" "+a.Attribute, b.Address+" "+b.Attribute)
	})
	slices.SortFunc(content.Data, func(a, b dataContent) int { return strings.Compare(a.Address, b.Address) })
	text, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("identify the run: %w", err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// files returns the regular files named by path attributes in a plugin block, such as a user's code. Their contents are
// part of the identity, but their locations are not. Attributes that may change when a run is resumed are omitted.
func (c *Component) files() map[string]string {
	var config map[string]json.RawMessage
	if json.Unmarshal(c.Block.Config, &config) != nil {
		return nil
	}
	files := map[string]string{}
	for _, a := range c.Description.Schema.Attributes {
		var path string
		if a.Format != schema.FormatPath || a.OnChange == schema.Resume || json.Unmarshal(config[a.Name], &path) != nil {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files[a.Name] = path
		}
	}
	return files
}

// stale returns the stale plugins that the plan needs.
func (p *Plan) stale(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool {
		return !slices.ContainsFunc(p.Components, func(c *Component) bool { return c.Entry.Name == name })
	})
}

// decide sets the run mode: new, resume, or nothing to do.
func (p *Plan) decide(in Inputs) error {
	p.Mode, p.Why = event.ModeNew, "no earlier run has this spec, these plugins and this data"
	if in.Smoke {
		p.Why = "it tests the spec and leaves no run"
		return nil
	}
	if in.New {
		p.Why = "another run was requested"
		return nil
	}
	if len(p.Stale) > 0 {
		p.Why = fmt.Sprintf("the sources of plugin %s have changed since it was built: apply builds it again",
			strings.Join(p.Stale, ", "))
		return nil
	}
	if in.Continue != nil {
		return p.continues(in.Continue)
	}
	if in.Store == nil {
		return nil
	}
	newest, err := in.Store.Newest(p.Train.Name)
	if err != nil {
		return fmt.Errorf("look for earlier runs: %w", err)
	}
	p.newest = &newest
	runs, err := in.Store.Find(p.Identity, p.Train.Name)
	if err != nil {
		return fmt.Errorf("look for earlier runs: %w", err)
	}
	if len(runs) > 0 {
		return p.follow(&runs[0])
	}
	all, err := in.Store.List()
	if err != nil {
		return fmt.Errorf("look for nearly identical runs: %w", err)
	}
	if found, err := p.extends(all); found || err != nil {
		return err
	}
	if p.Near, err = p.near(all); err != nil {
		return fmt.Errorf("look for nearly identical runs: %w", err)
	}
	return nil
}

// follow sets the mode according to the newest run with the plan's identity.
func (p *Plan) follow(run *runstore.Summary) error {
	if run.Status == runstore.StatusUnreadable {
		return fmt.Errorf("%s may be a run of this spec, and cannot be read: %s; or start another run with: awhost apply --new",
			run.Ref(), run.Problem)
	}
	extension := run.Extension()
	switch {
	case run.IsFinal():
		p.Why = fmt.Sprintf("%s has ended with a failure: %s", run.Ref(), run.Finish.Reason)
		return nil
	case extension != nil && p.total != extension.Steps && p.TotalSteps() < extension.Steps:
		r, err := opened(run)
		if err != nil {
			return err
		}
		return &extendedError{r, extension.Steps}
	}
	p.Mode, p.Existing = event.ModeResume, run
	switch run.Status {
	case runstore.StatusFinished:
		p.Mode, p.Why = event.ModeNoOp, run.Ref()+" has finished with exactly this spec; --new starts another"
		if extension != nil {
			p.Why = fmt.Sprintf("%s was given %d steps and has finished; --new starts another", run.Ref(), extension.Steps)
		}
	case runstore.StatusRunning:
		p.Why = fmt.Sprintf("%s is running: wait for its end, or stop it with awhost stop %s%s", run.Ref(), run.Ref(),
			runstore.WhereFlag(run.Dir))
	default:
		p.Why = fmt.Sprintf("%s %s", run.Ref(), standing(run))
	}
	return nil
}

// standing describes the progress of an unfinished run.
func standing(run *runstore.Summary) string {
	if run.Step < 0 {
		return fmt.Sprintf("is %s before its first commit", run.Status)
	}
	return fmt.Sprintf("is %s at step %d", run.Status, run.Step)
}
