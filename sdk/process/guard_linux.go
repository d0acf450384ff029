package process

import (
	"context"
	"errors"
	"time"
)

const (
	// guardPatience bounds the wait for an answer. A guard that does not answer is ended, and its children with it.
	guardPatience = 20 * time.Second
	// sweepPatience bounds the wait for processes that received SIGKILL. Only the kernel can hold one longer.
	sweepPatience = 10 * time.Second
)

// open starts the guard process.
func (g *Guard) open(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.livingLink(ctx)
	return err
}

// livingLink starts another guard if the last one has exited. The caller holds mu.
func (g *Guard) livingLink(ctx context.Context) (*guardLink, error) {
	if g.closed {
		return nil, errGuardClosed
	}
	if g.link != nil {
		select {
		case <-g.link.lost:
			<-g.link.done // bounded by sweepPatience: the new guard must not encounter processes of the old one
		default:
			return g.link, nil
		}
	}
	link, err := openLink(ctx, g.config, g.mark)
	if err != nil {
		return nil, err
	}
	g.link = link
	return link, nil
}

// start starts a managed process as a child of the guard. A guard that has exited is replaced once: its processes
// have ended with it.
func (g *Guard) start(spec startSpec) (child, Identity, error) {
	c, err := g.startOnce(spec)
	if errors.Is(err, errGuardLost) {
		c, err = g.startOnce(spec)
	}
	if err != nil {
		return nil, Identity{}, err
	}
	return c, c.identity, nil
}

func (g *Guard) startOnce(spec startSpec) (*guardedChild, error) {
	g.mu.Lock()
	link, err := g.livingLink(context.Background())
	g.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return link.start(spec)
}

// guardedChild is a child of the guard.
type guardedChild struct {
	link     *guardLink
	identity Identity
	over     chan struct{} // closed when it has ended
	how      ended         // set before over closes
}

func (c *guardedChild) ends(how ended) {
	c.how = how
	close(c.over)
}

func (c *guardedChild) pid() int { return c.identity.PID }

func (c *guardedChild) await() ended {
	<-c.over
	return c.how
}

func (c *guardedChild) terminate() { c.ask(guardRequest{Terminate: c.identity.PID}) }

func (c *guardedChild) kill() { c.ask(guardRequest{Kill: c.identity.PID}) }

// ask sends a request without a result. Only the end of the child matters, which also follows the end of the guard.
func (c *guardedChild) ask(request guardRequest) {
	select {
	case <-c.over:
	default:
		_, _ = c.link.call(context.Background(), request)
	}
}

var _ child = (*guardedChild)(nil)
