package importer_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/importer"
)

// entry returns the first entry of a table that covers a key.
func entry(system *importer.System, key string) (importer.Key, bool) {
	i := slices.IndexFunc(system.Keys, func(k importer.Key) bool { covers, _ := path.Match(k.Path, key); return covers })
	if i < 0 {
		return importer.Key{}, false
	}
	return system.Keys[i], true
}

func read(t *testing.T, file, from, to string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), from)
	section, _, closed := strings.Cut(rest, to)
	if !found || !closed {
		t.Fatalf("%s has nothing between %q and %q", file, from, to)
	}
	return section
}

var (
	row    = regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\| (`[^|]*) \\|")
	code   = regexp.MustCompile("`([a-z_]+[.a-z_]+)`")
	quoted = regexp.MustCompile(`"([a-z_]+)"`)
)

// checkKnobs compares the keys of an adapter's knobs with the places that the import writes.
func checkKnobs(t *testing.T, system *importer.System, table string, elsewhere map[string]string) {
	t.Helper()
	rows := row.FindAllStringSubmatch(table, -1)
	elsewhere["trainer.save_freq"], elsewhere["saver.freq_steps"] = "train.checkpoint.every", "train.checkpoint.every"
	if len(rows) < 20 {
		t.Fatalf("%d knobs", len(rows))
	}
	for _, match := range rows {
		knob, keys := match[1], match[2]
		keys, _, _ = strings.Cut(keys, ";")
		keys, _, _ = strings.Cut(keys, ": applied")
		for _, key := range code.FindAllStringSubmatch(keys, -1) {
			place, named := elsewhere[key[1]]
			if !named {
				place = "train." + knob
			}
			found, ok := entry(system, key[1])
			if place != "" && (!ok || !strings.Contains(found.To, place)) {
				t.Errorf("%s: the adapter writes %s for it, and the import has %+v", knob, key[1], found)
			}
		}
	}
}

// The tables agree with the adapters.
func TestTablesAgreeWithTheAdapters(t *testing.T) {
	verl, page := importer.Systems["verl"], "../../docs/reference/verl-knobs.md"
	checkKnobs(t, verl, read(t, page, "## Knobs", "## What awhost"), map[string]string{
		"algorithm.adv_estimator": "train.algorithm", "actor_rollout_ref.actor.data_loader_seed": "",
		"actor_rollout_ref.rollout.seed": "", "trainer.total_training_steps": "train.steps",
		"trainer.total_epochs":                           "train.epochs",
		"actor_rollout_ref.rollout.val_kwargs.do_sample": "", "algorithm.filter_groups.enable": "train.filter_groups",
	})
	for _, key := range code.FindAllStringSubmatch(read(t, page, "## What awhost", "## Keys that moved"), -1) {
		found, ok := entry(verl, key[1])
		if strings.Contains(key[1], ".") && key[1] != "trainer.logger" && (!ok || found.As != "") {
			t.Errorf("awhost sets %s, and the import keeps it", key[1])
		}
	}
	knobs := read(t, "../../plugins/areal/README.md", "<!-- generated: knobs -->", "<!-- end -->")
	checkKnobs(t, importer.Systems["areal"], knobs,
		map[string]string{
			"total_train_steps": "train.steps", "actor.reward_norm.mean_level": "train.algorithm",
			"rollout.consumer_batch_size": "", "environment": "", "any": "",
			"dynamic_filter_fn": "", "dynamic_bs": "", "actor.optimizer.warmup_steps_proportion": "",
		})
	const kit = "../../sdk/framework/hf/fields.go"
	mapped := regexp.MustCompile(`"([a-z_.]+)": "([a-z_]+)"`).FindAllStringSubmatch(
		read(t, kit, "var mapped =", "\n}"), -1)
	for _, name := range []string{"trl", "swift"} {
		for _, match := range mapped {
			found, ok := entry(importer.Systems[name], match[2])
			if match[1] != "algorithm.entropy" && (!ok || !strings.Contains(found.To, "train."+match[1])) {
				t.Errorf("%s: the adapter writes %s for %s, and the import has %+v", name, match[2], match[1], found)
			}
		}
		refused := read(t, kit, "var owned =", "\n}") + read(t, "../../plugins/"+name+"/"+name+".go", "var owned =", "\n}")
		owned := regexp.MustCompile(`[({]((?:\s*"[a-z_=]+",?)+)\s*[)}]`).FindAllStringSubmatch(refused, -1)
		if len(mapped) < 15 || len(owned) < 8 {
			t.Fatalf("%s: %d mapped and %d owned fields", name, len(mapped), len(owned))
		}
		for _, group := range owned {
			for _, match := range quoted.FindAllStringSubmatch(group[1], -1) {
				exact, ok := entry(importer.Systems[name], match[1])
				prefix, covered := entry(importer.Systems[name], match[1]+"x")
				if ok = ok && exact.As != "kept"; !ok && (!covered || prefix.As == "kept") {
					t.Errorf("%s: the adapter refuses %s, and the import keeps it", name, match[1])
				}
			}
		}
	}
}

// Each entry of a table has a place or a reason, and none hides another.
func TestTables(t *testing.T) {
	for name, system := range importer.Systems {
		for _, key := range system.Keys {
			first, _ := entry(system, strings.ReplaceAll(key.Path, "*", "x"))
			if key.To == "" && key.Why == "" || key.Owned && key.To != "" || first.Path != key.Path {
				t.Errorf("%s: %+v is covered by %s", name, key, first.Path)
			}
		}
	}
}
