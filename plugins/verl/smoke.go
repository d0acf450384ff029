package verl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// A smoke run trains with the real verl on a CPU, a tiny random model of the policy's architecture, and messages by a
// script in half of the episodes. The Python side is shim/awhost_verl/cpu.

func (f folder) model() string { return f.path("model") }

// firstWithCPU is the oldest verl that the CPU platform works with.
var firstWithCPU = framework.Release{0, 7, 1}

// planSmoke says what a smoke run needs and does not find.
func planSmoke(out *sdk.PlanResponse, installed *settings.Installed, policy json.RawMessage) {
	if installed.Release.Before(firstWithCPU) {
		out.Capabilities.Smoke = false
		out.Diagnostics = append(out.Diagnostics, *about("No smoke run with this verl", fmt.Sprintf(
			"verl %s cannot train on a CPU: the workers that can are in %s and later. Install that into an environment of its own and name its Python in `python`.",
			installed.Version, firstWithCPU), "python"))
	}
	for _, name := range []string{"torch", "transformers", "ray"} {
		if installed.Packages[name] == "" {
			out.Diagnostics = append(out.Diagnostics, *about("A package is missing", fmt.Sprintf(
				"A smoke run needs %s in the environment of verl: %s -m pip install %s.", name, installed.Python, name), "python"))
		}
	}
	model, err := python.PolicyPath(policy)
	if err != nil || model == "" {
		out.Diagnostics = append(out.Diagnostics, *about("No policy", "A smoke run makes a tiny model like the policy's: set `policy` of the train block to a `model \"hf\"` block."))
		return
	}
	if _, err := python.ReadModel(model); err != nil && !errors.Is(err, python.ErrNotHere) {
		out.Diagnostics = append(out.Diagnostics, *about("No such model", err.Error()+"."))
		return
	}
	out.Notes = append(out.Notes, fmt.Sprintf("the tiny model has the architecture and the tokenizer of %s; sampled messages have at most 64 tokens", model))
}

// makeModel makes the tiny model of a smoke run.
func makeModel(ctx context.Context, interpreter string, req sdk.TrainRequest, dir folder) error {
	source, err := python.PolicyPath(req.Policy)
	if err != nil {
		return err
	}
	return python.TinyModel{Python: interpreter, Like: source, Dir: dir.model(), Env: req.Knobs.Env}.Make(ctx)
}
