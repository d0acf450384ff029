package settings

import (
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

type release = framework.Release

// The releases that the tables of this package name.
var (
	v060 = release{0, 6, 0}
	v061 = release{0, 6, 1}
	v070 = release{0, 7, 0}
	v071 = release{0, 7, 1}
	v080 = release{0, 8, 0}
	v090 = release{0, 9, 0}
	v091 = release{0, 9, 1}
	v100 = release{0, 10, 0}
)

// releases are those that the documentation and the tests go through.
var releases = []release{v060, v061, v070, v071, v080, v090, v091}

// support says how far awhost goes with a version of verl.
func (i *Installed) support() []sdk.Diagnostic {
	switch {
	case i.Release.Before(v060):
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityError, Summary: "verl is too old", Path: []string{"python"},
			Detail: fmt.Sprintf("%s has verl %s. Before 0.6 an agent loop is called as run(messages, sampling_params): it gets no fields of the task, and can give back neither a "+
				"reward nor log-probabilities, so awhost could not tell whose episode it runs. Upgrade in an environment of its own: python3 -m venv .venv-verl, then "+
				".venv-verl/bin/pip install \"verl==0.9.1\" and the rollout engine (vllm or sglang), and point python at it. A grpo_trainer.yaml written for %s needs few "+
				"changes: keys that moved are named.", i.Python, i.Version, i.Version),
		}}
	case i.Release.Before(v071):
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityWarning, Summary: "Best effort with this verl", Path: []string{"python"},
			Detail: fmt.Sprintf("verl %s works with the agent loop of awhost, but training on it is not part of awhost's tests. 0.7.1, 0.8.0 and 0.9 are.", i.Version),
		}}
	case i.Release.AtLeast(v100):
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityWarning, Summary: "Untested verl", Path: []string{"python"},
			Detail: fmt.Sprintf("verl %s is newer than what awhost was tested with (0.9.1). Its configuration is checked as it is installed; if training fails at the start, "+
				"try 0.9.1.", i.Version),
		}}
	}
	return nil
}
