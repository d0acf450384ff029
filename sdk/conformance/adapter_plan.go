package conformance

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/awhost/awhost/sdk"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func checkPlanPure(t *T) {
	req := t.planRequest()
	if err := os.WriteFile(filepath.Join(req.GetRunDir(), "kept"), nil, 0o600); err != nil {
		t.need(err, "write a file")
	}
	own := t.ownDir()
	adapter := adapterOf(t.startIn(own, 1))
	before := t.fileTree(own)
	first, err := adapter.Plan(t.call(), req)
	t.need(err, "Plan")
	again, err := adapter.Plan(t.call(), req)
	t.need(err, "the second Plan")
	if !proto.Equal(first, again) {
		t.errorf("the second plan differs:\n%s\nthe first:\n%s", protojson.Format(again), protojson.Format(first))
	}
	left, err := os.ReadDir(req.GetRunDir())
	t.need(err, "read the run's directory")
	if len(left) != 1 || left[0].Name() != "kept" {
		t.errorf("after Plan, the run's directory contains %v; before, it contained only the file kept", namesOf(left))
	}
	after := t.fileTree(own)
	for path, now := range after {
		switch was, there := before[path]; {
		case !there:
			t.errorf("Plan created %s in the component's directory", path)
		case was != now:
			t.errorf("Plan wrote to %s in the component's directory", path)
		}
	}
	for path := range before {
		if _, there := after[path]; !there {
			t.errorf("Plan removed %s from the component's directory", path)
		}
	}
}

// fileTree returns the contents of a directory: the mode, file content and link target for each path in it. Use it only
// for directories that are used exclusively by the component. Other processes also write to the working directory, and
// a check would attribute their changes to the plugin.
func (t *T) fileTree(dir string) map[string]string {
	out := map[string]string{}
	t.need(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was deleted meanwhile
		}
		if err != nil || path == dir {
			return err
		}
		said, err := contentOf(path, d)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[name] = said
		return err
	}), "look at the component's directory")
	return out
}

func contentOf(path string, d fs.DirEntry) (string, error) {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return d.Type().String() + to, err
	case !d.Type().IsRegular():
		return d.Type().String(), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %x", info.Mode(), sum.Sum(nil)), nil
}

func namesOf(list []fs.DirEntry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name()
	}
	return out
}

// plan calls Plan for the stage that the suite trains.
func (t *T) plan(change func(*awhostv1.PlanRequest)) *awhostv1.PlanResponse {
	req := t.planRequest()
	if change != nil {
		change(req)
	}
	out, err := adapterOf(t.shared()).Plan(t.call(), req)
	t.need(err, "Plan")
	return out
}

func checkPlanKnobs(t *T) {
	t.skipUnlessPlannable()
	known, _ := t.knobs()
	var knobs sdk.Knobs
	t.need(json.Unmarshal(known.GetJson(), &knobs), "read the knobs")
	out := t.plan(nil)
	for _, path := range knobs.Set {
		i := slices.IndexFunc(out.GetKnobs(), func(m *awhostv1.KnobMapping) bool { return m.GetKnob() == path })
		if i < 0 {
			t.errorf("the plan has no mapping for the knob %s", path)
		}
	}
	for _, m := range out.GetKnobs() {
		if (m.GetKey() == "") == (m.GetRefused() == "") {
			t.errorf("the knob %q has both the key %q and the refusal %q: return one of them", m.GetKnob(), m.GetKey(),
				m.GetRefused())
		}
	}
}

// unknownKnob is a knob that is not in the vocabulary.
const unknownKnob = "conformance.no_such_knob"

func checkPlanUnknownKnob(t *T) {
	t.skipUnlessPlannable()
	t.checkUnknownKnobRefused(t.planUnknownKnob())
}

func checkPlanRefusesDespiteError(t *T) {
	out := t.planUnknownKnob()
	if len(out.GetKnobs()) == 0 {
		t.skipf("the plan maps no knobs")
	}
	t.checkUnknownKnobRefused(out)
}

// planUnknownKnob returns the plan for a stage that also sets unknownKnob.
func (t *T) planUnknownKnob() *awhostv1.PlanResponse {
	return t.plan(func(req *awhostv1.PlanRequest) {
		var knobs map[string]any
		t.need(json.Unmarshal(req.GetStages()[0].GetKnobs().GetJson(), &knobs), "read the knobs")
		set, _ := knobs["set"].([]any)
		knobs["set"] = append(set, unknownKnob)
		text, err := json.Marshal(knobs)
		t.need(err, "write the knobs")
		req.Stages[0].Knobs.Json = text
	})
}

func (t *T) checkUnknownKnobRefused(out *awhostv1.PlanResponse) {
	for _, m := range out.GetKnobs() {
		if m.GetKnob() == unknownKnob && m.GetRefused() != "" {
			return
		}
	}
	for _, d := range out.GetDiagnostics() {
		if d.GetSeverity() == awhostv1.Diagnostic_SEVERITY_ERROR &&
			strings.Contains(d.GetSummary()+d.GetDetail(), unknownKnob) {
			return
		}
	}
	t.errorf("the unknown knob %s is accepted", unknownKnob)
}

func checkPlanSmoke(t *T) {
	for _, r := range t.plan(func(req *awhostv1.PlanRequest) { req.Smoke = true }).GetRequirements() {
		if r.GetKind() == "gpu" {
			t.errorf("the plan of a smoke run requires %q, of kind gpu", r.GetDetail())
		}
	}
}

func checkPlanEffective(t *T) {
	t.skipUnlessPlannable()
	for _, key := range t.plan(nil).GetEffective() {
		if key.GetKey() == "" || key.GetOrigin() == "" || !json.Valid(key.GetValueJson()) {
			t.errorf("invalid effective key: %q = %q from %q", key.GetKey(), key.GetValueJson(), key.GetOrigin())
		}
	}
}

// weakerValues lists, for each capability value, the values that promise less. Capabilities that are missing here are
// facts about a configuration, such as the context size, or promise neither more nor less, such as which side keeps the
// tokens.
var weakerValues = map[protoreflect.Name]map[string][]string{
	"rows_per_episode": {"many": {"one"}},
	"group_of_one":     {"zero": {"raw"}, "": {"raw", "zero"}},
	"unscorable":       {"exact": {"in_baseline", "group_lost", "none"}, "in_baseline": {"none"}, "group_lost": {"none"}},
}

func checkPlanNarrows(t *T) {
	t.skipUnlessPlannable()
	planned := t.plan(nil).GetCapabilities()
	if planned == nil {
		t.errorf("the plan contains no capabilities")
		return
	}
	described := t.component.GetAdapter().ProtoReflect()
	planned.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		less, ordered := weakerValues[field.Name()]
		switch {
		case ordered:
			if said, now := described.Get(field).String(), v.String(); now != said && !slices.Contains(less[said], now) {
				t.errorf("the plan declares %s %q, but the description declares %q", field.Name(), now, said)
			}
		case field.Name() == "trains_all": // it promises less
		case field.Kind() == protoreflect.BoolKind && !described.Get(field).Bool():
			t.errorf("the plan declares the capability %s, which the description lacks", field.Name())
		case field.IsList():
			declared := described.Get(field).List()
			for i := range v.List().Len() {
				if !containsValue(declared, v.List().Get(i).String()) {
					t.errorf("the plan declares %s %q, which the description lacks", field.Name(), v.List().Get(i).String())
				}
			}
		}
		return true
	})
}

func containsValue(list protoreflect.List, want string) bool {
	for i := range list.Len() {
		if list.Get(i).String() == want {
			return true
		}
	}
	return false
}

// skipUnlessPlannable skips a check if the stage cannot be trained here and the fixtures do not declare that it can: a
// plan that contains an error may contain nothing else.
func (t *T) skipUnlessPlannable() {
	if t.component.fixture.Train != nil {
		return
	}
	for _, d := range t.plan(nil).GetDiagnostics() {
		if d.GetSeverity() == awhostv1.Diagnostic_SEVERITY_ERROR {
			t.skipf("the plan has an error, so nothing can be trained: %s. Provide a configuration and `train` in the fixtures",
				d.GetSummary())
		}
	}
}
