package process

import (
	"context"
	"errors"
	"time"
)

const (
	// guardTimeout limits the wait for a response. A guard that does not respond is ended together with its children.
	guardTimeout = 20 * time.Second
	// sweepTimeout limits the wait for processes that have received SIGKILL. Only the kernel can keep a process alive
	// longer.
	sweepTimeout = 10 * time.Second
)

// open starts the guard process.
func (g *Guard) open(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.runningLink(ctx)
	return err
}

// runningLink starts another guard if the last one has exited. The caller holds mu.
func (g *Guard) runningLink(ctx context.Context) (*guardLink, error) {
	if g.closed {
		return nil, errGuardClosed
	}
	if g.link != nil {
		select {
		case <-g.link.exited:
			<-g.link.done // bounded by sweepTimeout: the new guard must not encounter processes of the old one
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

// start starts a managed process as a child of the guard. A guard that has exited is replaced once, because its
// processes have ended with it.
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
	link, err := g.runningLink(context.Background())
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
	done     chan struct{} // closed when it has ended
	result   ended         // set before done is closed
}

func (c *guardedChild) finish(how ended) {
	c.result = how
	close(c.done)
}

func (c *guardedChild) pid() int { return c.identity.PID }

func (c *guardedChild) await() ended {
	<-c.done
	return c.result
}

func (c *guardedChild) terminate() { c.send(guardRequest{Terminate: c.identity.PID}) }

func (c *guardedChild) kill() { c.send(guardRequest{Kill: c.identity.PID}) }

// send sends a request that has no result. Only the end of the child matters, which also occurs when the guard ends.
func (c *guardedChild) send(request guardRequest) {
	select {
	case <-c.done:
	default:
		_, _ = c.link.call(context.Background(), request)
	}
}

var _ child = (*guardedChild)(nil)
