package plan

import (
	"encoding/json"
	"strings"
	"testing"
)

// A framework's keys are longer than awhost's, and must not misalign the columns.
func TestSettingLines_StandInColumns(t *testing.T) {
	settings := []EffectiveKey{
		{Key: "data.train_batch_size", Value: json.RawMessage("32"), Origin: "batch.prompts"},
		{Key: "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio", Value: json.RawMessage(`"some_kind_of_value"`),
			Origin: "overrides"},
		{Key: "trainer.logger", Value: json.RawMessage(`["console", "tensorboard", "wandb"]`), Origin: "config"},
		{Key: "trainer.nnodes", Value: json.RawMessage("1"), Origin: "default"},
	}
	lines := settingLines(settings, false)
	if len(lines) != 3 || len(settingLines(settings, true)) != 4 {
		t.Fatalf("%q", lines)
	}
	for _, line := range lines {
		if strings.Index(line, " = ") != strings.Index(lines[1], " = ") {
			t.Errorf("the values are not aligned:\n%s", strings.Join(lines, "\n"))
		}
	}
	if a, b := strings.LastIndex(lines[0], "("), strings.LastIndex(lines[1], "("); a != b {
		t.Errorf("the origins are not aligned:\n%s", strings.Join(lines, "\n"))
	}
}
