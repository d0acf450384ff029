package codeenv

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/sdk/sandbox"
)

// pool holds idle servers, which were started in advance or are left over from an ended episode.
type pool struct {
	factory *serverFactory
	warm    int

	mu       sync.Mutex
	ready    []*server
	taken    int // in use by episodes
	most     int // maximum of taken
	starting int
	closed   bool
	work     sync.WaitGroup
	ctx      context.Context //nolint:containedctx // the life of the environment, which no call has
	cancel   context.CancelFunc
}

// maxIdleServers bounds the number of idle servers, which follows the maximum number of concurrent episodes.
const maxIdleServers = 64

func newPool(m *serverFactory, warm int) *pool {
	p := &pool{factory: m, warm: warm}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// take returns an interpreter from an idle server, or from a new one.
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
		} // an idle server has ended meanwhile
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

// release takes back the interpreter from an ended episode. Its server is kept if it can be reset and another episode
// may need it; otherwise, the server is ended.
func (p *pool) release(i *interpreter) {
	defer p.leave()
	s := i.server
	if !i.lost {
		i.closePipes()
	}
	if i.lost || !s.reusable || !p.hasRoom() {
		s.discard()
		return
	}
	if err := s.reset(); err != nil {
		p.factory.log.Debug("an interpreter is not used again", "because", err)
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
	return p.mayKeepServer()
}

// mayKeepServer reports whether another server may be kept; the caller must hold the lock.
func (p *pool) mayKeepServer() bool {
	return !p.closed && len(p.ready) < max(p.warm, min(p.most, maxIdleServers))
}

// keep adds a server to the idle ones, unless there are enough.
func (p *pool) keep(s *server) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mayKeepServer() {
		return false
	}
	p.ready = append(p.ready, s)
	return true
}

func (p *pool) start(ctx context.Context) (*server, error) {
	folder, err := p.factory.newFolder()
	if err != nil {
		return nil, err
	}
	s, err := p.factory.start(ctx, folder, false)
	if err != nil {
		return nil, errors.Join(err, sandbox.Remove(filepath.Dir(folder))) // an import may have written there
	}
	return s, nil
}

// canStart reports whether a server starts in an empty directory.
func (p *pool) canStart(ctx context.Context) bool {
	s, err := p.start(ctx)
	if err == nil && !p.keep(s) {
		s.discard()
	}
	return err == nil
}

// addIdle adds a new server to the idle ones.
func (p *pool) addIdle(s *server) {
	p.mu.Lock()
	p.ready = append(p.ready, s)
	p.mu.Unlock()
	p.fill()
}

// fill starts missing servers one by one, to leave the processors available for waiting episodes.
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

// one starts a server in advance, and reports whether another is missing.
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
	// The same error will occur for the next episode, which will report it.
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
