package bridge

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

const (
	protocolVersion  = 1
	handshakeTimeout = 5 * time.Second
	maxNameBytes     = 128 // of a session, and of a worker's description of itself
)

// hello is the first line that a worker sends.
type hello struct {
	Type             string   `json:"type"`
	Protocol         []int    `json:"protocol"`
	Run              string   `json:"run"`
	Epoch            int      `json:"epoch"`
	Token            string   `json:"token"`
	Session          string   `json:"session"`
	Received         uint64   `json:"received"`
	Role             string   `json:"role"`
	Framework        string   `json:"framework"`
	FrameworkVersion string   `json:"framework_version"`
	Node             string   `json:"node"`
	PID              int      `json:"pid"`
	Capabilities     []string `json:"capabilities"`
}

// helloAck is the answer.
type helloAck struct {
	Type     string          `json:"type"`
	Protocol int             `json:"protocol"`
	Epoch    int             `json:"epoch"`
	Resumed  bool            `json:"resumed"`
	Received uint64          `json:"received"`
	Credits  int             `json:"credits"`
	PingMS   int64           `json:"ping_ms"`
	GraceMS  int64           `json:"grace_ms"`
	Settings json.RawMessage `json:"settings"`
}

// refusal ends a connection, with a reason for the worker's log.
type refusal struct {
	Type   string `json:"type"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func refuse(code, format string, args ...any) *refusal {
	return &refusal{Type: "refused", Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Error implements error.
func (r *refusal) Error() string { return "refused: " + r.Code + ": " + r.Detail }

// readHello reads and checks the first line. It checks the epoch before the token, because a restart changes both: a
// worker that read the files earlier must reread them instead of giving up.
func (s *Server) readHello(lines *link.Lines) (hello, error) {
	var h hello
	line, err := lines.Next()
	if err == nil {
		err = link.Parse(line, &h)
	}
	var unreadable *link.LineError
	switch {
	case errors.As(err, &unreadable):
		return h, refuse("line", "%s", unreadable.Reason)
	case err != nil:
		return h, err
	case h.Type != "hello" || h.Session == "" || len(h.Session) > maxNameBytes:
		return h, refuse("line", "the first line is not a hello with a session of 1 to %d bytes", maxNameBytes)
	case h.Epoch != s.options.Epoch:
		return h, refuse("epoch", "this adapter has a different epoch: reread the endpoint file")
	case !equalSecrets(h.Token, s.token):
		return h, refuse("token", "invalid token: read the token from the file that the endpoint file names")
	case !slices.Contains(h.Protocol, protocolVersion):
		return h, refuse("protocol", "this adapter supports version %d of the bridge, but the worker supports %v: "+
			"install the awhost_bridge from this version of awhost", protocolVersion, h.Protocol)
	case h.Run != s.options.Run:
		return h, refuse("run", "this adapter belongs to run %s", s.options.Run)
	}
	return h, nil
}

// equalSecrets compares two secrets in constant time, regardless of their difference and length.
func equalSecrets(got, want string) bool {
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// handshake performs the handshake. Afterward, this connection owns the session.
func (s *Server) handshake(conn net.Conn, lines *link.Lines) (*session, error) {
	if err := conn.SetDeadline(time.Now().Add(s.options.handshake)); err != nil {
		return nil, err
	}
	h, err := s.readHello(lines)
	if err != nil {
		return nil, err
	}
	session, ack, err := s.attach(h)
	if err != nil {
		return nil, err
	}
	line, err := link.Encode(ack)
	if err == nil {
		_, err = conn.Write(line)
	}
	if err = cmp.Or(err, conn.SetDeadline(time.Time{})); err != nil {
		s.detach(session)
		return nil, err
	}
	return session, nil
}

// sendRefusal sends the reason to the worker and waits briefly until it has been read, because closing the connection
// immediately could discard it.
func sendRefusal(conn net.Conn, r *refusal) {
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	line, err := link.Encode(r)
	if err != nil {
		return
	}
	if _, err := conn.Write(line); err != nil {
		return
	}
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	var waste [link.MaxHelloBytes]byte
	for left := 16; left > 0; left-- {
		if _, err := conn.Read(waste[:]); err != nil {
			return
		}
	}
}
