package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A mix without a size is limited to this multiple of the total length of its parts; a short mix may be longer.
const (
	maxMixFactor   = 16
	alwaysMixTasks = 1 << 20
)

func newMix(config Config, from []*Dataset) (*Dataset, error) {
	weights, err := shares(config)
	if err != nil {
		return nil, err
	}
	if err := checkMixLength(config, weights, from); err != nil {
		return nil, err
	}
	m := mixer{weights: weights, drawn: make([]int, len(from)), orders: make([]*Order, len(from))}
	prefixes := make([]string, len(from))
	for i, part := range config.Parts {
		prefixes[i] = strings.TrimPrefix(part.Dataset, "dataset.") + "/"
		m.orders[i] = NewOrder(from[i].Len(), partSeed(config.Seed, part.Dataset))
	}
	s := &selection{from: from}
	for enough := false; !enough; {
		s.picks = append(s.picks, m.draw())
		enough = len(s.picks) == config.Size
		if config.Size == 0 {
			enough = m.drawnAll(from)
		}
	}
	return s.dataset("mix", prefixes), nil
}

// shares returns the weights as fractions of 1.
func shares(config Config) ([]float64, error) {
	if len(config.Parts) == 0 {
		return nil, &ConfigError{Problem: "the mix has no parts", Remedy: "add part { dataset = dataset.TYPE.NAME }"}
	}
	if config.Size < 0 {
		return nil, &ConfigError{Attribute: []string{"size"}, Problem: "the value is negative",
			Remedy: "omit it to include each task once"}
	}
	total := 0.0
	for i, part := range config.Parts {
		if !(part.Weight > 0) || math.IsInf(part.Weight, 0) {
			return nil, &ConfigError{Attribute: partPath(i, "weight"), Problem: "the part has no share of the mix",
				Remedy: "write a positive weight, or remove the part"}
		}
		if slices.ContainsFunc(config.Parts[:i], func(p Part) bool { return p.Dataset == part.Dataset }) {
			return nil, &ConfigError{Attribute: partPath(i, "dataset"), Problem: part.Dataset + " is in the mix twice",
				Remedy: "write one part, with both weights together"}
		}
		total += part.Weight
	}
	if math.IsInf(total, 0) {
		return nil, &ConfigError{Attribute: partPath(0, "weight"), Problem: "the weights are too large",
			Remedy: "only their proportions count"}
	}
	weights := make([]float64, len(config.Parts))
	for i, part := range config.Parts {
		weights[i] = part.Weight / total
	}
	return weights, nil
}

func partPath(i int, attribute string) []string { return []string{"part", strconv.Itoa(i), attribute} }

// checkMixLength rejects a mix in which one part has such a small weight that the others would have to be repeated very
// many times.
func checkMixLength(config Config, weights []float64, from []*Dataset) error {
	total := 0
	for _, d := range from {
		total += d.Len()
	}
	for i, d := range from {
		needed := float64(d.Len()) / weights[i]
		if config.Size == 0 && needed > max(alwaysMixTasks, float64(maxMixFactor*total)) {
			return &ConfigError{
				Attribute: partPath(i, "weight"),
				Problem: fmt.Sprintf("the mix needs %.0f tasks to include each of the %d tasks of %s once", needed,
					d.Len(), config.Parts[i].Dataset),
				Remedy: "increase the weight, or set size to the length of the mix",
			}
		}
	}
	if config.Size > math.MaxInt32 {
		return &ConfigError{Attribute: []string{"size"}, Problem: "it is too large",
			Remedy: "choose a size that fits in memory; tasks repeat in every epoch"}
	}
	return nil
}

// partSeed depends on the part's address and not on its position, so that other parts may be added or removed.
func partSeed(seed int64, address string) int64 {
	d := newDigest("awhost/mix/1")
	d.number(uint64(seed))
	d.add([]byte(address))
	return int64(d.first())
}

// mixer draws tasks. Each part has its own order, one epoch after another.
type mixer struct {
	weights []float64
	orders  []*Order
	drawn   []int
	total   int
}

// draw takes a task from the part that is furthest behind its share; if there is a tie, from the first such part.
func (m *mixer) draw() pick {
	m.total++
	part, most := 0, math.Inf(-1)
	for i, weight := range m.weights {
		due := float64(weight * float64(m.total)) // the conversion prevents fusing with the next operation on every machine
		if behind := due - float64(m.drawn[i]); behind > most {
			part, most = i, behind
		}
	}
	_, row := m.orders[part].At(m.drawn[part])
	m.drawn[part]++
	return pick{uint32(part), uint32(row)}
}

// drawnAll reports whether every task of every part has been drawn.
func (m *mixer) drawnAll(from []*Dataset) bool {
	for i, d := range from {
		if m.drawn[i] < d.Len() {
			return false
		}
	}
	return true
}
