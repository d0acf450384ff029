package dataset

import (
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Derive returns a dataset derived from others: a mix or a split. from contains the datasets of config.Sources, in the
// same order. They must stay open as long as the result, which does not close them. The error is a *ConfigError or an
// error about a dataset.
func Derive(config Config, from []*Dataset) (*Dataset, error) {
	if len(from) != len(config.Sources()) {
		return nil, fmt.Errorf("derive a dataset: want %d others, got %d", len(config.Sources()), len(from))
	}
	switch config.Type {
	case TypeMix:
		return newMix(config, from)
	case TypeSplit:
		return newSplit(config, from[0])
	}
	return nil, &ConfigError{Problem: fmt.Sprintf("dataset %q is not derived from other datasets", config.Type),
		Remedy: "open it with its own type"}
}

// selection is a sequence of tasks from other datasets.
type selection struct {
	from  []*Dataset
	picks []pick
}

type pick struct {
	part uint32 // index of the dataset
	row  uint32 // index of its task
}

func (s *selection) task(i int) (sdk.Task, error) {
	return s.from[s.picks[i].part].Task(int(s.picks[i].row))
}

func (s *selection) placeOf(i int) string {
	return s.from[s.picks[i].part].Place(int(s.picks[i].row))
}

func (s *selection) close() error { return nil }

// dataset returns a dataset of the selection. prefixes are prepended to the IDs of each part.
func (s *selection) dataset(name string, prefixes []string) *Dataset {
	d := &Dataset{name: name, tasks: s, ids: make([]string, len(s.picks)), byID: make(map[string]int, len(s.picks))}
	first := map[pick]int{}
	sum := newDigest("awhost/dataset/selection/1")
	for i, from := range s.from {
		sum.add([]byte(prefixes[i]))
		sum.add([]byte(from.Fingerprint()))
	}
	for i, p := range s.picks {
		sum.number(uint64(p.part)<<32 | uint64(p.row))
		if earlier, repeated := first[p]; repeated {
			d.ids[i] = d.ids[earlier]
			continue
		}
		first[p] = i
		d.ids[i] = prefixes[p.part] + s.from[p.part].ID(int(p.row))
		if _, taken := d.byID[d.ids[i]]; !taken {
			d.byID[d.ids[i]] = i
		}
	}
	d.fingerprint = sum.text()
	return d
}

var (
	_ tasks  = (*selection)(nil)
	_ placed = (*selection)(nil)
)
