package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// measured is the result of one table row.
type measured struct {
	turns int
	bytes int64 // of requests
	wall  time.Duration
	cpu   float64 // seconds of the serving process
	peak  int64   // its largest resident memory in bytes
	took  []time.Duration
}

func (m measured) String() string {
	slices.Sort(m.took)
	at := func(share float64) float64 {
		return 1000 * m.took[int(share*float64(len(m.took)-1))].Seconds()
	}
	return fmt.Sprintf("%9d %8.0f %12.3f %10.2f %9.1f %9.1f %8.0f", m.bytes/int64(m.turns),
		float64(m.turns)/m.wall.Seconds(), 1000*m.cpu/float64(m.turns), 1e9*m.cpu/float64(m.bytes), at(0.5), at(0.99),
		float64(m.peak)/(1<<20))
}

func measureOne(ctx context.Context, o options, kind string, concurrent, size int) (*measured, error) {
	s, err := start(ctx, o, kind)
	if err != nil {
		return nil, err
	}
	m := &measured{}
	err = s.load(ctx, o, concurrent, size, m)
	if stopped := s.stop(); err == nil {
		err = stopped
	}
	return m, err
}

// load plays episodes at the given concurrency until there are enough turns.
func (s *server) load(ctx context.Context, o options, concurrent, size int, m *measured) error {
	opening := opening(size)
	var left atomic.Int64
	left.Store(int64(max(o.turns/turnsPerEpisode, concurrent)))
	players := make([]player, concurrent)
	failures := make([]error, concurrent)
	before, began := s.used(), time.Now()
	var playing sync.WaitGroup
	for i := range players {
		p := &players[i]
		p.server, p.opening, p.stream = s, opening, o.stream
		playing.Go(func() {
			for left.Add(-1) >= 0 && failures[i] == nil && ctx.Err() == nil {
				failures[i] = p.episode()
			}
			p.close()
		})
	}
	playing.Wait()
	m.wall, m.cpu, m.peak = time.Since(began), s.used()-before, s.peak()
	for i := range players {
		m.took, m.bytes = append(m.took, players[i].took...), m.bytes+players[i].bytes
	}
	if m.turns = len(m.took); m.turns == 0 {
		failures = append(failures, errors.New("no turn was played"))
	}
	return errors.Join(append(failures, ctx.Err())...)
}

// opening returns the start of a request, up to the end of its first message, with a prompt of about size bytes.
func opening(size int) []byte {
	var tools []string
	for n := 0; n == 0 || len(strings.Join(tools, ",")) < size*3/4; n++ {
		name := "add"
		if n > 0 {
			name = "tool_" + strconv.Itoa(n)
		}
		about := "Adds two numbers."
		if size > 0 {
			about = strings.Repeat("Says when to use it, and when not to: \\\"quoted\\\", and\\nin lines. ", 40)
		}
		tools = append(tools, `{"type":"function","function":{"name":"`+name+`","description":"`+about+`","parameters":`+
			`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}}}`)
	}
	head := `{"model":"policy","temperature":1.0,"tools":[` + strings.Join(tools, ",") + `],"messages":[` +
		`{"role":"system","content":"You are a careful assistant that uses tools. `
	question := `"},{"role":"user","content":"Please add the numbers one by one, using the tool, and give the answer."}`
	filler := max(0, size-len(head)-len(question))
	return []byte(head + strings.Repeat("All of it matters. ", filler/19) + question)
}

// player plays episodes sequentially on one connection, without the overhead of an HTTP client.
type player struct {
	server  *server
	opening []byte
	stream  bool

	connection net.Conn
	in         *bufio.Reader
	took       []time.Duration
	bytes      int64
}

func (p *player) close() {
	if p.connection != nil {
		_ = p.connection.Close()
	}
}

func (p *player) episode() error {
	key, err := p.server.grant()
	if err != nil {
		return err
	}
	if p.connection == nil {
		if p.connection, err = net.Dial("tcp", p.server.url.Host); err != nil {
			return err
		}
		p.in = bufio.NewReader(p.connection)
	}
	said := slices.Clone(p.opening)
	for turn := 1; turn <= turnsPerEpisode; turn++ {
		answer, err := p.ask(key, said)
		if err != nil {
			return fmt.Errorf("turn %d: %w", turn, err)
		}
		wanted := `call_` + strconv.Itoa(turn)
		if turn == turnsPerEpisode {
			wanted = finalAnswer
		}
		if !bytes.Contains(answer, []byte(wanted)) {
			return fmt.Errorf("turn %d received the response %.300s", turn, answer)
		}
		said = fmt.Appendf(said, `,{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function",`+
			`"function":{"name":"add","arguments":"{\"a\":7,\"b\":1}"}}]},`+
			`{"role":"tool","tool_call_id":"call_%d","content":"{\"sum\": 7}"}`, turn, turn)
	}
	return p.server.end(key)
}

// ask sends a request and reads the response.
func (p *player) ask(key string, said []byte) ([]byte, error) {
	tail := "]}"
	if p.stream {
		tail = `],"stream":true}`
	}
	began := time.Now()
	request := make([]byte, 0, len(said)+512)
	request = fmt.Appendf(request, "POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", p.server.url.Host, key, len(said)+len(tail))
	request = append(append(request, said...), tail...)
	if _, err := p.connection.Write(request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(p.in, nil)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	p.took, p.bytes = append(p.took, time.Since(began)), p.bytes+int64(len(said)+len(tail))
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s: %.300s", response.Status, answer)
	}
	return answer, nil
}
