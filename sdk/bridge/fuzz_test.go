package bridge_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk/bridge"
)

// Whatever a worker with the token sends after its handshake, the server must neither crash nor drop other workers,
// and the connection must end with the worker.
func FuzzSession(f *testing.F) {
	for _, lines := range []string{
		`{"type":"run_episode","seq":1,"body":{"episode_id":"e"}}` + "\n" +
			`{"type":"run_episode","seq":2,"body":{"episode_id":"e"}}` + "\n",
		`{"type":"cancel_episode","seq":1,"body":{"episode_id":"e"}}` + "\n" + `{"type":"bye","seq":2}` + "\n" +
			`{"type":"run_episode","seq":3,"body":{"episode_id":"late"}}` + "\n",
		`{"type":"generated","seq":1,"episode_id":"e","call_id":"c","body":{}}` + "\n" +
			`{"type":"ack","ack":18446744073709551615}` + "\n",
		`{"type":"event","seq":1,"body":{"metrics":{"step":"1","values":{"a":1e999}}}}` + "\n",
		`{"type":"boundary","seq":1,"id":"b","body":{}}` + "\n" + `{"type":"ping"}` + "\n",
		"\n", "null\n", "{}\n{", `{"seq":1}` + "\n" + `{"type":"","seq":2}` + "\n", "{\"type\":\"\xff\"}\n",
		`{"type":"bye","seq":1,"seq":2}` + "\n",
	} {
		f.Add([]byte(lines))
	}
	h := newHost(0)
	s := listen(f, h, func(o *bridge.Options) { o.Grace, o.PingInterval = 200*time.Millisecond, 50*time.Millisecond })
	var count atomic.Int64
	greeting := hello(f, s)
	f.Fuzz(func(t *testing.T, lines []byte) {
		conn, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		mine := map[string]any{}
		for name, value := range greeting {
			mine[name] = value
		}
		mine["session"] = fmt.Sprint("fuzz", count.Add(1))
		text, err := json.Marshal(mine)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(append(append(text, '\n'), lines...)); err != nil {
			return // it was refused before all was written
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			return
		}
		if err := conn.SetReadDeadline(time.Now().Add(testTimeout)); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err, timeout := err.(net.Error); timeout && err.Timeout() {
			t.Fatalf("the connection did not end; it said %s", answer)
		}
	})
}
