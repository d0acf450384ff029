package tinylm

import (
	"fmt"
	"math"
)

// Config is the shape of a decoder. A Policy's shape never changes.
type Config struct {
	Vocab  int // token ids are 0 … Vocab-1
	Dim    int // width of the residual stream
	Layers int
	Heads  int // each Dim/Heads wide
	FFN    int // width of the feed-forward layer
	MaxLen int // context window in tokens, prompt and answer together

	RopeTheta float64 // base of the rotary frequencies; small for short windows
	NormEps   float64 // added to the mean square in RMSNorm

	EndID int32 // ends an assistant turn; written into checkpoints
	PadID int32 // written into checkpoints; the model itself never pads
}

// Tiny returns the default shape: 115,520 weights with a byte vocabulary. A step of 16 short conversations takes about
// 40 ms on two cores.
func Tiny() Config {
	return Config{
		Vocab: 256, Dim: 64, Layers: 2, Heads: 8, FFN: 172, MaxLen: 192,
		RopeTheta: 1000, NormEps: 1e-5,
		EndID: 0xC1, PadID: 0xC0,
	}
}

// small returns a shape with 357,024 weights, for tasks with longer conversations. It trains about three times slower
// than Tiny.
func small() Config {
	c := Tiny()
	c.Dim, c.Layers, c.FFN, c.MaxLen = 96, 3, 256, 384
	return c
}

// Preset returns the configuration with the given name: "tiny" or "small".
func Preset(name string) (Config, error) {
	switch name {
	case "tiny":
		return Tiny(), nil
	case "small":
		return small(), nil
	}
	return Config{}, fmt.Errorf("unknown model size %q: use \"tiny\" or \"small\"", name)
}

// maxWeights limits the size of a configuration. It is far more than a CPU can train.
const maxWeights = 64 << 20

// Validate returns an error if the shape is not valid for a decoder.
func (c Config) Validate() error {
	for _, field := range []struct {
		name  string
		value int
	}{{"vocabulary", c.Vocab}, {"width", c.Dim}, {"number of layers", c.Layers}, {"number of heads", c.Heads},
		{"feed-forward width", c.FFN}, {"context window", c.MaxLen}} {
		if field.value < 1 || field.value > 1<<20 {
			return fmt.Errorf("check model shape: the %s is %d; it must be between 1 and "+
				"%d", field.name, field.value, 1<<20)
		}
	}
	if c.Dim%c.Heads != 0 || c.Dim/c.Heads%2 != 0 {
		return fmt.Errorf("check model shape: %d heads cannot share a width of %d; each head needs the same even "+
			"width", c.Heads,
			c.Dim)
	}
	if c.Vocab%4 != 0 || c.Dim%4 != 0 || c.FFN%4 != 0 {
		return fmt.Errorf("check model shape: vocabulary %d, width %d and feed-forward width %d must be multiples of 4",
			c.Vocab, c.Dim, c.FFN)
	}
	if weights := c.weights(); weights > maxWeights {
		return fmt.Errorf("check model shape: the model has %.0f weights, but the embedded trainer supports at most "+
			"%d; larger models need another adapter", weights, maxWeights)
	}
	if !(c.RopeTheta >= 1 && c.RopeTheta < math.Inf(1)) || !(c.NormEps > 0 && c.NormEps < 1) {
		return fmt.Errorf("check model shape: RoPE base %v must be at least 1 and norm epsilon %v between 0 and 1",
			c.RopeTheta, c.NormEps)
	}
	if !c.hasID(c.EndID) || !c.hasID(c.PadID) {
		return fmt.Errorf("check model shape: end ID %d and pad ID %d must be within the vocabulary of %d "+
			"tokens", c.EndID, c.PadID,
			c.Vocab)
	}
	return nil
}

// weights counts in floating point so that absurdly large shapes cannot overflow.
func (c Config) weights() float64 {
	dim := float64(c.Dim)
	return float64(c.Vocab)*dim + float64(c.Layers)*(4*dim*dim+3*dim*float64(c.FFN)+2*dim) + dim
}

func (c Config) headDim() int        { return c.Dim / c.Heads }
func (c Config) hasID(id int32) bool { return id >= 0 && int(id) < c.Vocab }
func (c Config) attnScale() float32  { return float32(1 / math.Sqrt(float64(c.headDim()))) }
func (c Config) checkIDs(ids []int32) error {
	for i, id := range ids {
		if !c.hasID(id) {
			return fmt.Errorf("token %d has id %d, the vocabulary ends at %d", i, id, c.Vocab-1)
		}
	}
	return nil
}
