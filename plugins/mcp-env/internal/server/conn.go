package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sandbox"
)

// Conn is a connection to a server: to a process that was started for it, or to a session on an HTTP server. Its
// methods may be called from several goroutines.
type Conn struct {
	config Config
	client *client.Client
	child  *child          // nil over HTTP
	idle   *http.Transport // nil over stdio
	about  string
	tools  []Tool
	unused []string

	stream   atomic.Bool        // a message in the stream from the server exceeded the limit
	stop     context.CancelFunc // ends the transport
	closing  sync.Once
	ending   chan struct{} // closed just before closed is
	closed   chan struct{}
	progress progress
}

// Connect connects to a server, agrees on an era and lists the tools, within config.Connect. session is the value for
// config.SessionHeader.
func Connect(ctx context.Context, config Config, session string) (*Conn, error) {
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &Conn{config: config, stop: stop, ending: make(chan struct{}), closed: make(chan struct{})}
	if err := c.connect(ctx, life, session); err != nil {
		err = c.withServerOutput(err)
		c.abandon()
		return nil, err
	}
	return c, nil
}

func (c *Conn) connect(ctx, life context.Context, session string) error {
	limit := c.config.Connect
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not answer within %s", limit))
	defer cancel()
	err := c.attempt(ctx, life, session, false)
	var rejected *httpError
	if errors.As(err, &rejected) && rejected.isOtherTransport() {
		c.idle.CloseIdleConnections()
		if other := c.attempt(ctx, life, session, true); other != nil {
			err = fmt.Errorf("%w; HTTP+SSE: %w", err, withoutURL(other))
		} else {
			c.about, err = c.about+", HTTP+SSE", nil
		}
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// attempt connects over one transport. events selects HTTP+SSE.
func (c *Conn) attempt(ctx, life context.Context, session string, events bool) error {
	if err := c.dial(ctx, session, events); err != nil {
		return err
	}
	c.client.OnNotification(c.progress.note)
	return c.await(ctx, func() error { return c.begin(ctx, life) })
}

func (c *Conn) dial(ctx context.Context, session string, events bool) error {
	probe := client.WithDiscoverTimeout(c.config.Connect / 3) // a server of the older era may not answer at all
	if len(c.config.Command) > 0 {
		child, t, err := startChild(ctx, c.config, &c.stream)
		if err != nil {
			return err
		}
		c.child, c.client = child, client.NewClient(t, probe)
		return nil
	}
	t, idle, err := c.dialHTTP(session, events)
	if err != nil {
		return err
	}
	c.idle, c.client = idle, client.NewClient(t, probe)
	return nil
}

// begin agrees on an era and lists the tools.
func (c *Conn) begin(ctx, life context.Context) error {
	if err := c.client.Start(life); err != nil {
		return err
	}
	asked, seen := tapped(ctx)
	server, err := c.agree(asked, seen)
	if err != nil && c.exceeded(seen) {
		return &WrongAnswer{c.config.Name, "initialize", tooLarge{}}
	}
	if err != nil {
		return fmt.Errorf("agree on a version of MCP: %w", err)
	}
	c.about = fmt.Sprintf("%s %s, MCP %s", server.ServerInfo.Name, server.ServerInfo.Version, c.client.ProtocolVersion())
	c.unused = unusedOf(server)
	c.tools, err = c.list(ctx)
	return err
}

// agree negotiates the version of the protocol. Some servers reject the newest version instead of offering theirs, so
// agree requests older versions as long as the server rejects the request. It returns the first rejection.
func (c *Conn) agree(ctx context.Context, seen *tap) (*mcp.InitializeResult, error) {
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "awhost", Version: sdk.Version}
	var first error
	for _, version := range mcp.ValidProtocolVersions {
		if version == mcp.LATEST_LEGACY_PROTOCOL_VERSION {
			continue // requested after the newest version by mcp-go
		}
		request.Params.ProtocolVersion = version
		server, err := c.client.Initialize(ctx, request)
		if isModern(err) {
			server, err = c.client.Initialize(ctx, request)
		}
		if err == nil {
			return server, nil
		}
		if seen.rejected != nil && !Unauthorized(err) {
			err = seen.rejected
		}
		first = cmp.Or(first, err)
		if seen.refused == nil && (seen.rejected == nil || seen.rejected.status != http.StatusBadRequest) {
			break
		}
	}
	return nil, first
}

// isModern reports whether a server rejected the handshake because it belongs to the newer era. This happens if the
// server was still starting when the probe's deadline expired, and accepted the probe later.
func isModern(err error) bool {
	var refused mcp.UnsupportedProtocolVersionError
	return errors.As(err, &refused) && mcp.IsModernProtocol(mcp.NegotiateMutuallySupportedVersion(refused.Supported))
}

// await runs a function that may block even after its context has ended, such as a write to the standard input of a
// process that does not read it. In that case it ends the process.
func (c *Conn) await(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	const settle = 100 * time.Millisecond // for a pending answer, and for mcp-go to detect the end
	timer := time.NewTimer(settle)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return context.Cause(ctx)
	}
}

// withServerOutput adds the server's name and last output to an error.
func (c *Conn) withServerOutput(err error) error {
	if len(c.config.Command) > 0 {
		if c.child != nil {
			if said := c.child.describeExit(); said != "" {
				err = fmt.Errorf("%w; %s", err, said)
			}
		}
		if c.config.Folder != "" && strings.HasPrefix(c.config.Dir, c.config.Folder) {
			err = fmt.Errorf("%w; it works in a private folder: write cwd = \".\" if it needs the folder of the spec", err)
		}
		return fmt.Errorf("connect with MCP server %q: %w", c.config.Name, err)
	}
	return fmt.Errorf("connect with MCP server %q at %s: %w", c.config.Name, withoutSecrets(c.config.URL), withoutURL(err))
}

// withoutSecrets returns the safe part of a URL, because the rest may contain a password or a token.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "its url"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// withoutURL returns a request error without the URL.
func withoutURL(err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// Tools returns the tools in the server's order, as listed when the connection was established.
func (c *Conn) Tools() []Tool { return c.tools }

// About returns the name that the server reports for itself, and the MCP version in use.
func (c *Conn) About() string { return c.about }

// Unused returns what the server offers in addition to its tools.
func (c *Conn) Unused() []string { return c.unused }

func unusedOf(server *mcp.InitializeResult) (out []string) {
	if n := len(server.Instructions); n > 0 {
		out = append(out, fmt.Sprintf("instructions of %d bytes", n))
	}
	if server.Capabilities.Resources != nil {
		out = append(out, "resources")
	}
	if server.Capabilities.Prompts != nil {
		out = append(out, "prompts")
	}
	return out
}

// PID returns the ID of the process that was started, or 0 if HTTP is used.
func (c *Conn) PID() int {
	if c.child == nil {
		return 0
	}
	return c.child.process.PID()
}

// Closed returns a channel that is closed when the connection ends, either through Close or because the server has
// exited.
func (c *Conn) Closed() <-chan struct{} {
	if c.child != nil {
		return c.child.process.Done()
	}
	return c.closed
}

// Close ends the session and the process that was started for it. It may be called again.
func (c *Conn) Close() { c.end(childGrace) }

// abandon ends a connection whose server has exited or no longer responds.
func (c *Conn) abandon() { c.end(0) }

// end gives a server time to exit; 0 means that it is killed.
func (c *Conn) end(grace time.Duration) {
	c.closing.Do(func() {
		close(c.ending)
		defer close(c.closed)
		if grace > 0 && c.client != nil && c.child == nil {
			_ = c.client.Close() // sends DELETE even if the server would expire the session by itself
		}
		c.stop()
		if c.child != nil {
			c.child.end(grace)
		}
		if c.idle != nil {
			c.idle.CloseIdleConnections()
		}
		if c.config.Folder == "" {
			return
		}
		if err := sandbox.Remove(c.config.Folder); err != nil {
			c.config.Log.Warn("the private folder of a process cannot be removed", "error", err)
		}
	})
}
