package debug

import "testing"

func TestParseTarget(t *testing.T) {
	addresses := []string{"environment.calculator.desk", "agent.python.solver", "reward.python.exact",
		"reward.python.style"}
	for text, want := range map[string]Target{
		"reward.python.exact":             {"reward.python.exact", "", "127.0.0.1:0"},
		"reward.exact":                    {"reward.python.exact", "", "127.0.0.1:0"},
		"exact=pdb":                       {"reward.python.exact", PDB, "127.0.0.1:0"},
		"agent.python=5678":               {"agent.python.solver", "", "127.0.0.1:5678"},
		"solver=debugpy:5678":             {"agent.python.solver", Debugpy, "127.0.0.1:5678"},
		"desk=dlv:0.0.0.0:2345":           {"environment.calculator.desk", Delve, "0.0.0.0:2345"},
		"environment.calculator=[::1]:99": {"environment.calculator.desk", "", "[::1]:99"},
	} {
		if got, err := ParseTarget(text, addresses); err != nil || got != want {
			t.Errorf("%s is %v, want %v: %v", text, got, want, err)
		}
	}
	for _, text := range []string{
		"reward.python", "nothing", "exact=gdb", "exact=debugpy:port", "exact=99999", "exact=", "exact=pdb:5678",
	} {
		if got, err := ParseTarget(text, addresses); err == nil {
			t.Errorf("%s is taken for %v", text, got)
		}
	}
}
