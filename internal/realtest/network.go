package realtest

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Network is an unreliable connection between a framework's workers and the adapter: it delays data and repeatedly
// breaks all connections until Heal is called. The adapter must advertise Address.
type Network struct {
	listener net.Listener
	target   func() (string, error)
	delay    time.Duration
	running  sync.WaitGroup
	healed   chan struct{}
	over     chan struct{}
	heal     func()

	mu   sync.Mutex
	open map[net.Conn]bool // the workers' connections
	cuts int
}

// NewNetwork starts a network that ends with the test. It delays each piece in both directions. target returns the
// adapter's address and is called for each connection.
func NewNetwork(t *testing.T, delay, interval time.Duration, target func() (string, error)) *Network {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{
		listener: listener, target: target, delay: delay, healed: make(chan struct{}), over: make(chan struct{}),
		open: map[net.Conn]bool{},
	}
	n.heal = sync.OnceFunc(func() { close(n.healed) })
	n.running.Go(n.accept)
	n.running.Go(func() { n.cutEvery(interval) })
	t.Cleanup(func() {
		close(n.over)
		n.Heal()
		_ = listener.Close() // ends accept
		n.cut()
		n.running.Wait()
	})
	return n
}

// Address returns the address at which workers reach the adapter through this network.
func (n *Network) Address() string { return n.listener.Addr().String() }

// Heal stops breaking connections. Data is still delayed.
func (n *Network) Heal() { n.heal() }

// Cuts returns the number of broken connections.
func (n *Network) Cuts() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cuts
}

func (n *Network) cutEvery(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			n.cut()
		case <-n.healed:
			return
		}
	}
}

// cut breaks all connections in the middle of their data.
func (n *Network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for conn := range n.open {
		delete(n.open, conn)
		n.cuts++
		_ = conn.Close() // broken on purpose: ignore the error
	}
}

func (n *Network) accept() {
	for {
		worker, err := n.listener.Accept()
		if err != nil {
			return // closed
		}
		n.running.Go(func() { n.connect(worker) })
	}
}

// connect forwards one connection until either end or a call to cut closes it.
func (n *Network) connect(worker net.Conn) {
	defer worker.Close()
	address, err := n.target()
	if err != nil {
		return // no adapter: a worker retries
	}
	adapter, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer adapter.Close()
	if !n.admit(worker) {
		return
	}
	defer func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.open, worker)
	}()
	var both sync.WaitGroup
	for from, to := range map[net.Conn]net.Conn{worker: adapter, adapter: worker} {
		both.Go(func() {
			n.carry(from, to)
			_, _ = from.Close(), to.Close() // the other direction ends, too
		})
	}
	both.Wait()
}

// admit counts a connection unless the network has been stopped.
func (n *Network) admit(worker net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	select {
	case <-n.over:
		return false
	default:
		n.open[worker] = true
		return true
	}
}

// piece holds the data from one read, and the time at which it may arrive.
type piece struct {
	bytes []byte
	due   time.Time
}

// carry forwards bytes with a delay and in order. Reading continues during the delay, so that the delay does not limit
// the bandwidth.
func (n *Network) carry(from, to net.Conn) {
	pieces := make(chan piece, 1024)
	var writing sync.WaitGroup
	writing.Go(func() {
		for p := range pieces {
			select {
			case <-time.After(time.Until(p.due)):
			case <-n.over:
			}
			if _, err := to.Write(p.bytes); err != nil {
				_ = from.Close() // stops the reading
			}
		}
	})
	for buffer := make([]byte, 32<<10); ; {
		size, err := from.Read(buffer)
		if size > 0 {
			pieces <- piece{append([]byte(nil), buffer[:size]...), time.Now().Add(n.delay)}
		}
		if err != nil {
			break
		}
	}
	close(pieces)
	writing.Wait()
}

// Bridge returns the address at which an adapter listens for its workers, regardless of what it advertises. dir is the
// adapter's launch directory.
func Bridge(dir string) (address string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "bridge.json"))
	if err != nil {
		return "", err
	}
	var about struct {
		Port string `json:"port"`
	}
	if err := json.Unmarshal(data, &about); err != nil {
		return "", fmt.Errorf("read the adapter's listen address: %w", err)
	}
	return net.JoinHostPort("127.0.0.1", about.Port), nil
}
