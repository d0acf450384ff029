package tinylm

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// defaultCacheBytes is enough for the idle decode sessions of 240 to 480 conversations with the tiny model.
const defaultCacheBytes = 32 << 20

// Options configures a Policy. The embedded trainer uses the zero value.
type Options struct {
	Optimizer  AdamW
	CacheBytes int // bound on idle decode sessions; 0 means 32 MiB
}

// Policy is a model that is being trained, together with its samplers. Training methods (SFTStep, GRPOStep, Publish,
// FreezeReference, Save, …) exclude one another. Generate runs concurrently, on immutable snapshots.
type Policy struct {
	cfg       Config
	published atomic.Pointer[Snapshot]
	cache     *prefixCache
	decoders  chan struct{} // a slot per core: more streams at a time would only use more memory

	mu        sync.Mutex // guards the following fields
	trained   *model
	reference *model // nil until FreezeReference
	optimiser *optimiser
	shards    shards
	changed   bool // trained has changed since it was published
}

// Snapshot is one published version of the weights. It is immutable and may be held as long as an episode needs it.
type Snapshot struct {
	Version int64
	model   *model
	serial  uint64 // unique in this process; loading can repeat a version
}

var snapshots atomic.Uint64

func newSnapshot(m *model, version int64) *Snapshot {
	return &Snapshot{Version: version, model: m, serial: snapshots.Add(1)}
}

// New creates a policy from a seed. Its first snapshot, version 0, is published.
func New(c Config, seed uint64, o Options) (*Policy, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := o.Optimizer.Validate(); err != nil {
		return nil, err
	}
	return newPolicy(newModel(c, seed), 0, o), nil
}

func newPolicy(m *model, version int64, o Options) *Policy {
	if o.CacheBytes <= 0 {
		o.CacheBytes = defaultCacheBytes
	}
	p := &Policy{
		cfg:       m.cfg,
		cache:     newPrefixCache(m.cfg, o.CacheBytes),
		decoders:  make(chan struct{}, runtime.GOMAXPROCS(0)),
		trained:   m,
		optimiser: newOptimiser(o.Optimizer, m.layout.size),
	}
	p.published.Store(newSnapshot(m.clone(), version))
	return p
}

// Config returns the model's shape.
func (p *Policy) Config() Config { return p.cfg }

// Weights returns the number of scalars in the model.
func (p *Policy) Weights() int { return p.trained.layout.size }

// Snapshot returns the most recently published weights.
func (p *Policy) Snapshot() *Snapshot { return p.published.Load() }

// Publish makes the weights being trained the current snapshot and returns it. Its version is one higher than the
// previous one. If there has been no update since then, it publishes nothing and returns the current snapshot.
func (p *Policy) Publish() *Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed {
		p.published.Store(newSnapshot(p.trained.clone(), p.Snapshot().Version+1))
		p.changed = false
	}
	return p.Snapshot()
}

// FreezeReference makes the weights being trained the reference for the KL penalty.
func (p *Policy) FreezeReference() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reference = p.trained.clone()
}

// SetOptimizer changes the optimizer's settings and keeps its moments.
func (p *Policy) SetOptimizer(settings AdamW) error {
	if err := settings.Validate(); err != nil {
		return err
	}
	if settings == (AdamW{}) {
		settings = DefaultAdamW()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.optimiser.settings = settings
	return nil
}

// ResetOptimizer clears the moments and the number of updates, for example between behavior cloning and reinforcement
// learning.
func (p *Policy) ResetOptimizer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.optimiser = newOptimiser(p.optimiser.settings, p.trained.layout.size)
}

// Updates returns the number of optimizer updates since the last reset.
func (p *Policy) Updates() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.optimiser.step
}

// update applies the gradient of a loss. The caller holds the lock.
func (p *Policy) update(rows []Row, learningRate float64, loss lossFunc) (gradNorm float64, err error) {
	gradNorm, err = p.optimiser.apply(p.trained, p.shards.gradient(p.trained, rows, loss), learningRate)
	if err == nil {
		p.changed = true
	}
	return gradNorm, err
}

// checkRow returns an error if a row cannot be used for training.
func (p *Policy) checkRow(r Row) error {
	switch {
	case len(r.IDs) < 2 || len(r.IDs) > p.cfg.MaxLen:
		return fmt.Errorf("it has %d tokens, there must be between 2 and %d", len(r.IDs), p.cfg.MaxLen)
	case len(r.Trained) != len(r.IDs):
		return fmt.Errorf("its training mask has %d entries for %d tokens", len(r.Trained), len(r.IDs))
	case r.Trained[0]:
		return fmt.Errorf("its first token is marked as trained, but nothing predicts it")
	case r.Temperatures != nil && len(r.Temperatures) != len(r.IDs):
		return fmt.Errorf("it has %d temperatures for %d tokens", len(r.Temperatures), len(r.IDs))
	}
	for i, temperature := range r.Temperatures {
		if r.Trained[i] && !(temperature > 0 && temperature <= math.MaxFloat32) {
			return fmt.Errorf("the temperature of token %d is %v, it must be a finite number above 0", i, temperature)
		}
	}
	return p.cfg.checkIDs(r.IDs)
}

func trainedTokens(rows []Row) int {
	n := 0
	for _, r := range rows {
		for _, trained := range r.Trained {
			if trained {
				n++
			}
		}
	}
	return n
}
