package sandbox

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// relay forwards connections out of a sandbox. Its sockets listen in the sandbox's network. They were opened there and
// passed to this process, so that nothing listens outside and the program needs only an address.
type relay struct {
	ctx     context.Context //nolint:containedctx // the life of the sandbox, which no call has
	work    sync.WaitGroup
	openMax chan struct{}
}

const (
	// maxConnections limits the program's share of this process's open files.
	maxConnections = 256
	dialTimeout    = 10 * time.Second
)

func newRelay(ctx context.Context) *relay {
	return &relay{ctx: ctx, openMax: make(chan struct{}, maxConnections)}
}

// serve accepts connections on a socket and forwards them to an address until the sandbox ends.
func (r *relay) serve(socket *os.File, address string) {
	listener, err := net.FileListener(socket)
	if err != nil {
		return // not a socket: the program's connections fail
	}
	stop := context.AfterFunc(r.ctx, func() { listener.Close() })
	r.work.Go(func() {
		defer stop()
		defer listener.Close()
		for {
			inside, err := listener.Accept()
			if err != nil {
				return
			}
			r.admit(inside, address)
		}
	})
}

// admit forwards a connection, or closes it if there are too many.
func (r *relay) admit(inside net.Conn, address string) {
	select {
	case r.openMax <- struct{}{}:
		r.work.Go(func() {
			defer func() { <-r.openMax }()
			r.carry(inside, address)
		})
	default:
		inside.Close()
	}
}

// carry copies data in both directions and forwards the end of each stream.
func (r *relay) carry(inside net.Conn, address string) {
	defer inside.Close()
	dialer := net.Dialer{Timeout: dialTimeout}
	outside, err := dialer.DialContext(r.ctx, "tcp", address)
	if err != nil {
		return
	}
	defer outside.Close()
	defer context.AfterFunc(r.ctx, func() {
		inside.Close()
		outside.Close()
	})()
	var both sync.WaitGroup
	both.Go(func() { copyOneWay(outside, inside) })
	both.Go(func() { copyOneWay(inside, outside) })
	both.Wait()
}

func copyOneWay(to, from net.Conn) {
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // the other side may have closed
	}
}

func (r *relay) wait() { r.work.Wait() }
