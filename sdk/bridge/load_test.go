package bridge_test

import (
	"crypto/tls"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/bridge/bridgetest"
)

func TestLoad_ThousandsOfEpisodesShareAConnection(t *testing.T) {
	episodes, turns := 4096, 8
	if testing.Short() {
		episodes = 512
	}
	h, sampled := newHost(turns), newSampler()
	s := listen(t, h, func(o *bridge.Options) { o.Credits = episodes })
	w := work(t, s, bridgetest.Options{Sample: sampled.sample})
	runAll(t, w, names("e", episodes), turns)
	if len(h.runs) != episodes || len(sampled.calls) != episodes*turns {
		t.Errorf("got %d episodes with %d calls, want %d with %d", len(h.runs), len(sampled.calls), episodes, episodes*turns)
	}
	for id, n := range sampled.calls {
		if n != 1 {
			t.Errorf("call %s was sampled %d times, want once", id, n)
		}
	}
}

func TestTLS_ProtectsTheBridge(t *testing.T) {
	h, sampled := newHost(2), newSampler()
	s := listen(t, h, func(o *bridge.Options) { o.TLS = true })
	w := work(t, s, bridgetest.Options{Sample: sampled.sample})
	ids := names("e", 10)
	runAll(t, w, ids, 2)
	wantOnce(t, h, sampled, ids)
	if err := w.Close(within(t)); err != nil {
		t.Error(err)
	}

	plain := dial(t, s)
	plain.send(t, hello(t, s))
	if text, err := plain.in.ReadString('\n'); err == nil && strings.Contains(text, "hello_ack") {
		t.Errorf("a connection without TLS got %s", text)
	}
	conn, err := tls.Dial("tcp", s.Addr(), &tls.Config{ServerName: "localhost"})
	if err == nil {
		conn.Close()
		t.Error("a client without the authority trusts the server")
	}
	old, err := tls.Dial("tcp", s.Addr(), &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10,
		MaxVersion: tls.VersionTLS11})
	if err == nil {
		old.Close()
		t.Error("TLS 1.1 was accepted")
	}
}

func TestTLS_SurvivesReconnects(t *testing.T) {
	h, sampled := newHost(4), newSampler()
	proxy := newCuttingProxy(t, []connectionCut{{down: 3000}, {up: 2500}, {down: 5000}})
	t.Cleanup(proxy.close)
	s := listen(t, h, func(o *bridge.Options) {
		o.TLS, o.Advertise = true, []string{proxy.listener.Addr().String()}
	})
	proxy.serve(s.Addr())
	w := work(t, s, bridgetest.Options{Sample: sampled.sample})
	ids := names("e", 20)
	runAll(t, w, ids, 4)
	wantOnce(t, h, sampled, ids)
	if proxy.made() != 3 {
		t.Errorf("%d connections were cut, want 3", proxy.made())
	}
}
