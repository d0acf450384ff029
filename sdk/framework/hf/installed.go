package hf

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// installed is an installation of a framework and of the libraries that define its fields.
type installed struct {
	framework.Installed                   // Root is empty: it is not on this machine
	classes             framework.Classes // the framework's come first
	fields, lora        *framework.Schema
	warnings            []sdk.Diagnostic // for a plan
}

const loraConfig = "peft.tuners.lora.config.LoraConfig"

// The probe's answers for the tested versions.
var (
	//go:embed transformers.jsonl.gz
	transformers []byte
	//go:embed peft.jsonl.gz
	peft []byte
)

// libraries define classes that a framework's classes are derived from, and the fields of lora.
var libraries = []framework.Framework{{
	Name: "transformers", Package: "transformers", Marker: "transformers/training_args.py", Tested: transformers,
	Question: framework.Question{Classes: []string{"transformers.training_args_seq2seq.Seq2SeqTrainingArguments"}},
}, {
	Name: "PEFT", Package: "peft", Marker: "peft/tuners/lora/config.py", Tested: peft,
	Question: framework.Question{Classes: []string{loraConfig}},
}}

// Distributions returns the distributions that define the fields of a stage: the framework's comes first.
func (f Framework) Distributions() []framework.Framework {
	out := framework.Framework{
		Name: f.Title, Package: f.Package, Marker: f.Marker, Install: "pip install '" + f.Versions[0].String() + "'",
		Question: framework.Question{Classes: []string{f.Class}}, Tested: f.Tested,
	}
	if f.Trainer != "" {
		out.Question.Methods = []string{f.Trainer}
	}
	return slices.Concat([]framework.Framework{out}, libraries)
}

// installed finds the framework, in a supported version. With read, Python reads the fields of unknown versions.
func (a *adapter) installed(ctx context.Context, read bool) (*installed, error) {
	found, err := a.Distributions()[0].Find(a.config.Python, "")
	if err != nil {
		return nil, err
	}
	for _, v := range a.Versions {
		if err := v.check(found); err != nil {
			return nil, err
		}
	}
	return a.describe(ctx, found, read)
}

// describe merges the classes of an installation. A distribution that is not installed counts as the newest tested one.
func (a *adapter) describe(ctx context.Context, found *framework.Installed, read bool) (*installed, error) {
	out := &installed{Installed: *found}
	lora, _ := object(a.config.LoRA) // validate has checked it
	for _, f := range a.Distributions() {
		if f.Package == "peft" && lora == nil {
			continue
		}
		_, c, err := f.Absent("")
		if at, missing := f.Find(a.config.Python, ""); out.Root != "" && missing == nil {
			release, _ := framework.ParseRelease(at.Packages[f.Package]) // otherwise the oldest one
			if c, err = f.Configuration(at.Root, release); read && err == nil {
				answer, failed := f.Configure(ctx, at, release)
				if failed == nil {
					c = answer
				} else if f.Package == a.Package {
					err = failed
				} else {
					c.Read = fmt.Sprintf("%v: its fields are checked like version %s", failed, c.Version)
				}
			}
			if err == nil {
				out.warnings = append(out.warnings, f.Warning(at, c)...)
			}
		}
		if err != nil {
			return nil, err
		}
		out.classes = append(out.classes, c)
	}
	var errFields, errLoRA error
	out.fields, errFields = out.classes.Schema(a.Class)
	out.lora, errLoRA = out.classes.Schema(loraConfig)
	return out, errors.Join(errFields, errLoRA)
}

// configure reads the installation for the component's Probe.
func (f Framework) configure(ctx context.Context, c config) ([]*framework.Configuration, error) {
	in, err := (&adapter{Framework: f, config: c}).installed(ctx, true)
	if err != nil {
		return nil, err
	}
	return in.classes, nil
}

// String writes a requirement of pip.
func (v Versions) String() string { return fmt.Sprintf("%s>=%s,<%s", v.Package, v.From, v.Below) }

func (v Versions) check(in *framework.Installed) error {
	have := in.Packages[v.Package]
	if release, err := framework.ParseRelease(have); err == nil && release.AtLeast(v.From) && release.Before(v.Below) {
		return nil
	}
	found := "no " + v.Package
	if have != "" {
		found = v.Package + " " + have
	}
	return fmt.Errorf("%s has %s. Install it there: %s -m pip install '%s'", in.Python, found, in.Python, v)
}
