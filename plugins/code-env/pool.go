package codeenv

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/sdk/sandbox"
)

// pool has servers that episodes do not wait for: started before they are needed, or left by an episode that is over.
type pool struct {
	maker *maker
	warm  int

	mu       sync.Mutex
	ready    []*server
	taken    int // by episodes
	most     int // that were taken at a time
	starting int
	closed   bool
	work     sync.WaitGroup
	ctx      context.Context //nolint:containedctx // the life of the environment, which no call has
	cancel   context.CancelFunc
}

// mostKept bounds the servers that are kept for as many episodes as there were at a time.
const mostKept = 64

func newPool(m *maker, warm int) *pool {
	p := &pool{maker: m, warm: warm}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// take hands an interpreter out: of a server that is ready, or of one that is started for it.
func (p *pool) take(ctx context.Context) (*interpreter, error) {
	for {
		s, ready := p.next()
		p.fill()
		if !ready {
			started, err := p.start(ctx)
			if err != nil {
				p.leave()
				return nil, err
			}
			s = started
		}
		i, err := s.begin()
		if err == nil {
			return i, nil
		}
		s.discard()
		p.leave()
		if !ready {
			return nil, err
		} // one that was ready has ended meanwhile
	}
}

func (p *pool) next() (s *server, ready bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
	p.most = max(p.most, p.taken)
	if len(p.ready) == 0 {
		return nil, false
	}
	s, p.ready = p.ready[0], p.ready[1:]
	return s, true
}

func (p *pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
}

// give takes the interpreter of an episode that is over back. Its server is kept where nothing of the episode is left
// in it and another may need it, and ended otherwise.
func (p *pool) give(i *interpreter) {
	defer p.leave()
	s := i.server
	if !i.lost {
		i.hangUp()
	}
	if i.lost || !s.again || !p.hasRoom() {
		s.discard()
		return
	}
	if err := s.reset(); err != nil {
		p.maker.log.Debug("an interpreter is not used again", "because", err)
		s.discard()
		return
	}
	if !p.keep(s) {
		s.discard()
	}
}

func (p *pool) hasRoom() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wants()
}

// wants reports whether another server may be kept; the lock is held.
func (p *pool) wants() bool {
	return !p.closed && len(p.ready) < max(p.warm, min(p.most, mostKept))
}

// keep keeps a server for whoever comes, unless there are enough.
func (p *pool) keep(s *server) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.wants() {
		return false
	}
	p.ready = append(p.ready, s)
	return true
}

func (p *pool) start(ctx context.Context) (*server, error) {
	folder, err := p.maker.newFolder()
	if err != nil {
		return nil, err
	}
	s, err := p.maker.start(ctx, folder, false)
	if err != nil {
		return nil, errors.Join(err, sandbox.Remove(filepath.Dir(folder))) // an import may have written there
	}
	return s, nil
}

// canStart reports whether a server starts in an empty folder.
func (p *pool) canStart(ctx context.Context) bool {
	s, err := p.start(ctx)
	if err == nil && !p.keep(s) {
		s.discard()
	}
	return err == nil
}

// offer gives a server that nobody has asked for yet.
func (p *pool) offer(s *server) {
	p.mu.Lock()
	p.ready = append(p.ready, s)
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

// one starts a server for later, and reports whether another is missing.
func (p *pool) one() bool {
	s, err := p.start(p.ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && !p.closed {
		p.ready = append(p.ready, s)
		if len(p.ready) < p.warm {
			return true
		}
	} else if err == nil {
		s.discard()
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
	for _, s := range ready {
		s.discard()
	}
	p.work.Wait()
}
