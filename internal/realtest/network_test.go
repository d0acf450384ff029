package realtest_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"testing"
	"time"

	"github.com/awhost/awhost/internal/realtest"
)

// echo starts a server that sends back its input.
func echo(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn) // until the network breaks it
			}()
		}
	}()
	return listener.Addr().String()
}

func dial(t *testing.T, n *realtest.Network) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", n.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestNetwork_CarriesAllInOrder(t *testing.T) {
	address := echo(t)
	n := realtest.NewNetwork(t, time.Millisecond, time.Hour, func() (string, error) { return address, nil })
	conn, sent := dial(t, n), make([]byte, 1<<20)
	_, _ = rand.Read(sent)                  // never fails
	go func() { _, _ = conn.Write(sent) }() // missing bytes are detected below
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, sent) {
		t.Errorf("what came back is not what was sent: %v", err)
	}
}

func TestNetwork_BreaksConnectionsUntilItHeals(t *testing.T) {
	address := echo(t)
	n := realtest.NewNetwork(t, 0, 10*time.Millisecond, func() (string, error) { return address, nil })
	if _, err := dial(t, n).Read(make([]byte, 1)); err == nil {
		t.Error("received a byte that was not sent")
	}
	if n.Cuts() == 0 {
		t.Error("the connection ended, and no cut was counted")
	}
	n.Heal()
	realtest.Eventually(t, "a byte comes back", func() bool { // a cut may still be running
		conn := dial(t, n)
		if _, err := conn.Write([]byte("a")); err != nil {
			return false
		}
		_, err := conn.Read(make([]byte, 1))
		return err == nil
	})
}
