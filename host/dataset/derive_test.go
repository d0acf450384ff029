package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/internal/testlevel/property"
	"github.com/awhost/awhost/sdk"
)

// numbered returns a dataset of n questions, whose IDs begin with a name.
func numbered(t testing.TB, name string, n int) *dataset.Dataset {
	t.Helper()
	var content strings.Builder
	for i := range n {
		fmt.Fprintf(&content, `{"id":"%s%d","prompt":"%s %d","ground_truth":"%d"}`+"\n", name, i, name, i, i)
	}
	return open(t, dataset.Config{Path: write(t, content.String())})
}

func mixOf(parts ...dataset.Part) dataset.Config {
	return dataset.Config{Type: dataset.TypeMix, Seed: 1, Parts: parts}
}

func derive(t testing.TB, config dataset.Config, from ...*dataset.Dataset) *dataset.Dataset {
	t.Helper()
	data, err := dataset.Derive(config, from)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func ids(data *dataset.Dataset) []string {
	out := make([]string, data.Len())
	for i := range out {
		out[i] = data.ID(i)
	}
	return out
}

// Resumed runs rely on the same mix: these values must not change.
func TestMixIsFixed(t *testing.T) {
	a, b := numbered(t, "a", 3), numbered(t, "b", 2)
	config := mixOf(dataset.Part{Dataset: "dataset.jsonl.a", Weight: 3},
		dataset.Part{Dataset: "dataset.jsonl.b", Weight: 1})
	mix := derive(t, config, a, b)
	want := strings.Fields("jsonl.a/a0 jsonl.a/a2 jsonl.b/b1 jsonl.a/a1 jsonl.a/a2 jsonl.a/a1 jsonl.b/b0")
	if diff := cmp.Diff(want, ids(mix)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const fingerprint = "32e1fb0362f6df935e9494299b97b3572986131658f04807985faa60c0a40d32"
	if mix.Fingerprint() != fingerprint {
		t.Errorf("fingerprint %s, want %s", mix.Fingerprint(), fingerprint)
	}
	for i := range mix.Len() {
		task, err := mix.Task(i)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := mix.Index(task.ID)
		if again, err := mix.Task(at); !ok || err != nil || cmp.Diff(task, again) != "" {
			t.Errorf("%s is found at %d, %v", task.ID, at, err)
		}
	}
	task, _ := mix.Task(2)
	if string(task.Public) != `{"prompt":"b 1"}` || string(task.Private) != `{"ground_truth":"1"}` {
		t.Errorf("%+v", task)
	}
}

// Every section of a mix has about the shares of the weights, and each part is repeated evenly.
func TestMixKeepsItsShares(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		var from []*dataset.Dataset
		config := dataset.Config{Type: dataset.TypeMix, Seed: rapid.Int64().Draw(rt, "seed"),
			Size: rapid.SampledFrom([]int{0, 0, 1, 50}).Draw(rt, "size")}
		total := 0.0
		for i := range rapid.IntRange(1, 4).Draw(rt, "parts") {
			weight := rapid.Float64Range(0.2, 5).Draw(rt, "weight")
			total += weight
			config.Parts = append(config.Parts, dataset.Part{Dataset: fmt.Sprintf("dataset.jsonl.d%d", i), Weight: weight})
			from = append(from, numbered(t, string(rune('a'+i)), rapid.IntRange(1, 20).Draw(rt, "rows")))
		}
		mix, err := dataset.Derive(config, from)
		if err != nil {
			rt.Fatal(err)
		}
		if config.Size > 0 && mix.Len() != config.Size {
			rt.Fatalf("%d tasks, want %d", mix.Len(), config.Size)
		}
		drawn, times := make([]int, len(from)), map[string]int{}
		for i, id := range ids(mix) {
			part := int(id[len("jsonl.d")] - '0')
			drawn[part]++
			times[id]++
			for k, p := range config.Parts {
				if due := p.Weight / total * float64(i+1); math.Abs(due-float64(drawn[k])) > float64(len(from)) {
					rt.Fatalf("after %d tasks part %d has %d, want about %.1f", i+1, k, drawn[k], due)
				}
			}
		}
		for k, d := range from {
			least, most := math.MaxInt, 0
			for i := range d.Len() {
				n := times[fmt.Sprintf("jsonl.d%d/%s", k, d.ID(i))]
				least, most = min(least, n), max(most, n)
			}
			if most-least > 1 || config.Size == 0 && least == 0 {
				rt.Fatalf("tasks of part %d are drawn %d to %d times", k, least, most)
			}
		}
		again, err := dataset.Derive(config, from)
		if err != nil || again.Fingerprint() != mix.Fingerprint() || !slices.Equal(ids(again), ids(mix)) {
			rt.Fatal("the same seed gives another mix")
		}
	})
}

func TestMixDependsOnItsSeedAndParts(t *testing.T) {
	a, b, c := numbered(t, "a", 30), numbered(t, "b", 30), numbered(t, "c", 30)
	config := mixOf(dataset.Part{Dataset: "dataset.jsonl.a", Weight: 1},
		dataset.Part{Dataset: "dataset.jsonl.b", Weight: 1})
	base := derive(t, config, a, b)
	other := config
	other.Seed = 2
	if diff := cmp.Diff(ids(base), ids(derive(t, other, a, b))); diff == "" {
		t.Error("two seeds give the same mix")
	}
	if derive(t, config, a, c).Fingerprint() == base.Fingerprint() {
		t.Error("other content has the same fingerprint")
	}
	turned := mixOf(config.Parts[1], config.Parts[0])
	sortedIDs := func(d *dataset.Dataset) []string {
		only := slices.DeleteFunc(ids(d), func(id string) bool { return !strings.HasPrefix(id, "jsonl.a/") })
		return only
	}
	if diff := cmp.Diff(sortedIDs(base), sortedIDs(derive(t, turned, b, a))); diff != "" {
		t.Errorf("the order of a part depends on its position:\n%s", diff)
	}
}

func TestMixRefuses(t *testing.T) {
	a, b := numbered(t, "a", 100), numbered(t, "b", 100)
	part := func(name string, weight float64) dataset.Part {
		return dataset.Part{Dataset: "dataset.jsonl." + name, Weight: weight}
	}
	for _, test := range []struct {
		name      string
		config    dataset.Config
		from      []*dataset.Dataset
		attribute string
	}{
		{"no part", mixOf(), nil, ""},
		{"no weight", mixOf(part("a", 1), part("b", 0)), []*dataset.Dataset{a, b}, "part.1.weight"},
		{"a negative weight", mixOf(part("a", -1)), []*dataset.Dataset{a}, "part.0.weight"},
		{"a weight that is not a number", mixOf(part("a", math.NaN())), []*dataset.Dataset{a}, "part.0.weight"},
		{"infinite weights", mixOf(part("a", math.MaxFloat64), part("b", math.MaxFloat64)), []*dataset.Dataset{a, b},
			"part.0.weight"},
		{"a part twice", mixOf(part("a", 1), part("a", 2)), []*dataset.Dataset{a, a}, "part.1.dataset"},
		{"a tiny weight", mixOf(part("a", 1), part("b", 1e-6)), []*dataset.Dataset{a, b}, "part.1.weight"},
		{"a negative size", dataset.Config{Type: dataset.TypeMix, Size: -1, Parts: []dataset.Part{part("a", 1)}},
			[]*dataset.Dataset{a}, "size"},
		{"a huge size", dataset.Config{Type: dataset.TypeMix, Size: 1 << 40, Parts: []dataset.Part{part("a", 1)}},
			[]*dataset.Dataset{a}, "size"},
	} {
		_, err := dataset.Derive(test.config, test.from)
		var wrong *dataset.ConfigError
		if !errors.As(err, &wrong) || strings.Join(wrong.Attribute, ".") != test.attribute {
			t.Errorf("%s: %v, want a ConfigError at %q", test.name, err, test.attribute)
		}
	}
	if _, err := dataset.Derive(mixOf(part("a", 1)), nil); err == nil {
		t.Error("a mix without sources opens")
	}
	if _, err := dataset.Derive(dataset.Config{Type: dataset.TypeJSONL}, nil); err == nil {
		t.Error("a file is derived")
	}
}

func sides(t testing.TB, from *dataset.Dataset, fraction float64, seed int64) (train, heldOut *dataset.Dataset) {
	t.Helper()
	config := dataset.Config{Type: dataset.TypeSplit, Dataset: "dataset.jsonl.all", Fraction: fraction, Seed: seed,
		Split: dataset.SideTrain}
	train = derive(t, config, from)
	config.Split = dataset.SideHeldOut
	return train, derive(t, config, from)
}

// Resumed runs rely on the same split: these values must not change.
func TestSplitIsFixed(t *testing.T) {
	_, heldOut := sides(t, numbered(t, "a", 20), 0.2, 1)
	if diff := cmp.Diff(strings.Fields("a4 a16 a18 a19"), ids(heldOut)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSplitDividesCleanly(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		questions := rapid.SliceOfN(rapid.IntRange(0, 15), 2,
			60).Filter(func(q []int) bool { return slices.Max(q) != slices.Min(q) }).Draw(rt, "questions")
		var content strings.Builder
		for i, question := range questions {
			fmt.Fprintf(&content, `{"id":"%d","prompt":"%d","index":%d}`+"\n", i, question, i)
		}
		from := open(t, dataset.Config{Path: write(t, content.String())})
		fraction := rapid.Float64Range(0.01, 0.99).Draw(rt, "fraction")
		train, heldOut := sides(t, from, fraction, rapid.Int64().Draw(rt, "seed"))
		if train.Len()+heldOut.Len() != from.Len() || train.Len() == 0 || heldOut.Len() == 0 {
			rt.Fatalf("%d and %d of %d tasks", train.Len(), heldOut.Len(), from.Len())
		}
		side := map[string]string{}
		for name, d := range map[string]*dataset.Dataset{"train": train, "held out": heldOut} {
			last := -1
			for i := range d.Len() {
				task, err := d.Task(i)
				if err != nil {
					rt.Fatal(err)
				}
				at, ok := from.Index(task.ID)
				if !ok || at <= last {
					rt.Fatalf("%s: task %s at position %d follows position %d", name, task.ID, at, last)
				}
				last = at
				question := fmt.Sprint(questions[at])
				if side[question] != "" && side[question] != name {
					rt.Fatalf("question %s is on both sides", question)
				}
				side[question] = name
			}
		}
	})
}

func TestSplitHoldsOutTheFraction(t *testing.T) {
	from := numbered(t, "a", 1000)
	for _, fraction := range []float64{0.001, 0.1, 0.5, 0.999} {
		if _, heldOut := sides(t, from, fraction, 7); heldOut.Len() != int(math.Round(1000*fraction)) {
			t.Errorf("of 1000 tasks, %d are held out with the fraction %v", heldOut.Len(), fraction)
		}
	}
	_, one := sides(t, from, 0.1, 1)
	_, two := sides(t, from, 0.1, 2)
	if slices.Equal(ids(one), ids(two)) {
		t.Error("two seeds hold out the same tasks")
	}
}

// More data moves few tasks to the other side.
func TestSplitIsStable(t *testing.T) {
	_, before := sides(t, numbered(t, "a", 1000), 0.1, 1)
	_, after := sides(t, numbered(t, "a", 1100), 0.1, 1)
	kept := 0
	for _, id := range ids(before) {
		if _, ok := after.Index(id); ok {
			kept++
		}
	}
	if kept < 85 {
		t.Errorf("of 100 held-out tasks only %d stay so when the data grows by a tenth", kept)
	}
}

func TestSplitRefuses(t *testing.T) {
	from := numbered(t, "a", 10)
	same := open(t, dataset.Config{Path: write(t, strings.Repeat(`{"prompt":"the same"}`+"\n", 5))})
	base := dataset.Config{Type: dataset.TypeSplit, Fraction: 0.5, Split: dataset.SideTrain}
	for attribute, change := range map[string]func(*dataset.Config) *dataset.Dataset{
		"split":    func(c *dataset.Config) *dataset.Dataset { c.Split = "test"; return from },
		"fraction": func(c *dataset.Config) *dataset.Dataset { c.Fraction = 1; return from },
		"dataset":  func(*dataset.Config) *dataset.Dataset { return same },
	} {
		config := base
		data := change(&config)
		_, err := dataset.Derive(config, []*dataset.Dataset{data})
		var wrong *dataset.ConfigError
		if !errors.As(err, &wrong) || strings.Join(wrong.Attribute, ".") != attribute {
			t.Errorf("%v, want a ConfigError at %s", err, attribute)
		}
	}
}

func TestSplitsOverlap(t *testing.T) {
	a := dataset.Config{Type: dataset.TypeSplit, Dataset: "dataset.jsonl.a", Fraction: 0.1, Seed: 1,
		Split: dataset.SideTrain}
	b := a
	b.Split = dataset.SideHeldOut
	if a.Overlaps(b) {
		t.Error("the two sides of one split overlap")
	}
	b.Fraction = 0.2
	if !a.Overlaps(b) {
		t.Error("other fractions do not overlap")
	}
	b.Dataset = "dataset.jsonl.b"
	if a.Overlaps(b) {
		t.Error("other datasets overlap")
	}
}

func streamOf(tasks ...sdk.Task) dataset.TaskStream {
	return func(_ context.Context, _ sdk.Split, cursor int, yield func(sdk.Task) bool) error {
		for _, task := range tasks[cursor:] {
			if !yield(task) {
				return nil
			}
		}
		return nil
	}
}

func TestCollect(t *testing.T) {
	given := []sdk.Task{
		{ID: "a", Public: []byte(`{ "prompt": "<1+1>" }`), Private: []byte(`{"ground_truth":"2"}`)},
		{ID: "b", Public: []byte(`{}`)},
	}
	data, err := dataset.Collect(t.Context(), dataset.Config{Environment: "environment.mine.x", Split: "train"},
		streamOf(given...))
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	want := []sdk.Task{{ID: "a", Public: []byte(`{"prompt":"<1+1>"}`), Private: []byte(`{"ground_truth":"2"}`)},
		{ID: "b", Public: []byte(`{}`)}}
	if diff := cmp.Diff(want, tasks(t, data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first, err := dataset.Collect(t.Context(), dataset.Config{Environment: "environment.mine.x", Limit: 1},
		streamOf(given...))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if first.Len() != 1 || first.Fingerprint() == data.Fingerprint() {
		t.Errorf("with limit 1 there are %d tasks", first.Len())
	}
	same := open(t, dataset.Config{Path: write(t, `{"id":"a","prompt":"<1+1>","ground_truth":"2"}`)})
	if same.Fingerprint() != first.Fingerprint() {
		t.Error("the same task from a file has another fingerprint")
	}
}

func TestCollectRefuses(t *testing.T) {
	fine := sdk.Task{ID: "a", Public: []byte(`{"prompt":"p"}`)}
	for want, stream := range map[string]dataset.TaskStream{
		"the environment lists no tasks":                 streamOf(),
		"task 2: the id \"a\" is already used by task 1": streamOf(fine, fine),
		"task 1: the id has 0 bytes":                     streamOf(sdk.Task{Public: fine.Public}),
		"task 2: public part: invalid JSON":              streamOf(fine, sdk.Task{ID: "b", Public: []byte("x")}),
		"task 1: private part: it is a list": streamOf(sdk.Task{ID: "b", Public: fine.Public,
			Private: []byte("[]")}),
		"connection lost": func(_ context.Context, _ sdk.Split, _ int, yield func(sdk.Task) bool) error {
			yield(fine)
			return errors.New("connection lost")
		},
	} {
		_, err := dataset.Collect(t.Context(), dataset.Config{Environment: "environment.mine.x"}, stream)
		if err == nil || !strings.Contains(err.Error(), "read the tasks of environment.mine.x: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
