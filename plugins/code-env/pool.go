package codeenv

import (
	"context"
	"os"
	"path/filepath"
	"sync"
)

// pool starts interpreters before they are needed. Each goes to one episode.
type pool struct {
	maker *maker
	warm  int

	mu       sync.Mutex
	ready    []*interpreter
	starting int
	closed   bool
	work     sync.WaitGroup
	ctx      context.Context //nolint:containedctx // the life of the environment, which no call has
	cancel   context.CancelFunc
}

func newPool(m *maker, warm int) *pool {
	p := &pool{maker: m, warm: warm}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// take hands an interpreter out: one that is ready, or one that is started for it.
func (p *pool) take(ctx context.Context) (*interpreter, error) {
	p.mu.Lock()
	var i *interpreter
	if n := len(p.ready); n > 0 {
		i, p.ready = p.ready[0], p.ready[1:]
	}
	p.mu.Unlock()
	p.fill()
	if i != nil {
		return i, nil
	}
	return p.start(ctx)
}

func (p *pool) start(ctx context.Context) (*interpreter, error) {
	folder, err := p.maker.newFolder()
	if err != nil {
		return nil, err
	}
	i, err := p.maker.start(ctx, folder)
	if err != nil {
		_ = os.RemoveAll(filepath.Dir(folder)) // nothing is in it
		return nil, err
	}
	return i, nil
}

// offer gives an interpreter that nobody has asked for yet.
func (p *pool) offer(i *interpreter) {
	p.mu.Lock()
	p.ready = append(p.ready, i)
	p.mu.Unlock()
	p.fill()
}

// fill starts what is missing, one after the other: the processors are for those who wait.
func (p *pool) fill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.starting > 0 || len(p.ready) >= p.warm {
		return
	}
	p.starting++
	p.work.Go(func() {
		for p.one() {
		}
	})
}

// one starts an interpreter for later, and reports whether another is missing.
func (p *pool) one() bool {
	i, err := p.start(p.ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && !p.closed {
		p.ready = append(p.ready, i)
		if len(p.ready) < p.warm {
			return true
		}
	} else if err == nil {
		i.discard()
	}
	// What fails here fails for the next episode, too, which says so.
	p.starting--
	return false
}

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	ready := p.ready
	p.ready = nil
	p.mu.Unlock()
	p.cancel()
	for _, i := range ready {
		i.discard()
	}
	p.work.Wait()
}

// discard ends an interpreter and removes its folder.
func (i *interpreter) discard() {
	i.close()
	if err := remove(filepath.Dir(i.folder)); err != nil {
		i.maker.log.Warn("the folder of an episode cannot be removed", "folder", i.folder, "error", err)
	}
}
