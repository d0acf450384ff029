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

// Network is a bad one between a framework's workers and the adapter: it delays what it carries, and breaks all connections
// every now and then, until Heal. The adapter has to advertise Address.
type Network struct {
	listener net.Listener
	target   func() (string, error)
	delay    time.Duration
	running  sync.WaitGroup
	healed   chan struct{}
	over     chan struct{}
	heal     func()

	mu   sync.Mutex
	open map[net.Conn]bool // of workers
	cuts int
}

// NewNetwork starts a network that ends with the test. It delays each piece, in both directions. target says where the adapter
// listens; it is asked for each connection.
func NewNetwork(t *testing.T, delay, interval time.Duration, target func() (string, error)) *Network {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{
		listener: listener, target: target, delay: delay, healed: make(chan struct{}), over: make(chan struct{}), open: map[net.Conn]bool{},
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

// Address is where workers reach the adapter through this network.
func (n *Network) Address() string { return n.listener.Addr().String() }

// Heal leaves connections alone from now on. What they carry is delayed as before.
func (n *Network) Heal() { n.heal() }

// Cuts is how many connections were broken.
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

// cut breaks all connections, in the middle of whatever they carry.
func (n *Network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for conn := range n.open {
		delete(n.open, conn)
		n.cuts++
		_ = conn.Close() // broken: what it says is of no interest
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

// connect carries one connection until either end closes it, or a cut does.
func (n *Network) connect(worker net.Conn) {
	defer worker.Close()
	address, err := n.target()
	if err != nil {
		return // no adapter: a worker tries again
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

// admit counts a connection, unless the network is at its end.
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

// piece is what was read at once, and when it may arrive.
type piece struct {
	bytes []byte
	due   time.Time
}

// carry moves bytes late and in order. Reading goes on meanwhile: a delay is none of the bandwidth.
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
				_ = from.Close() // ends the reading
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

// Bridge says where an adapter listens for its workers, whatever it advertises. dir is the folder of its launch.
func Bridge(dir string) (address string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "bridge.json"))
	if err != nil {
		return "", err
	}
	var about struct {
		Port string `json:"port"`
	}
	if err := json.Unmarshal(data, &about); err != nil {
		return "", fmt.Errorf("read where the adapter listens: %w", err)
	}
	return net.JoinHostPort("127.0.0.1", about.Port), nil
}
