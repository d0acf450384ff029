package mtls

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func issue(t *testing.T, a *Authority, name string) (host, plugin *Identity) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	host, err := a.Issue(name, dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("directory mode %v, want 0700 (%v)", info.Mode(), err)
	}
	plugin, err = LoadPlugin(dir)
	if err != nil {
		t.Fatal(err)
	}
	return host, plugin
}

// connect returns both ends of a connection with buffers, unlike net.Pipe: an alert must not wait for its reader.
func connect(t *testing.T) (a, b net.Conn) {
	t.Helper()
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if b, err = net.Dial("unix", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if a, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	return a, b
}

// handshake connects two configurations and returns both sides' errors. Both ends write and read: under TLS 1.3 a
// client detects a refusal at its first read.
func handshake(t *testing.T, server, client *tls.Config) (serverErr, clientErr error) {
	t.Helper()
	a, b := connect(t)
	deadline := time.Now().Add(10 * time.Second)
	for _, conn := range []net.Conn{a, b} {
		if err := conn.SetDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
	}
	done := make(chan error, 1)
	go func() {
		conn := tls.Server(a, server)
		err := conn.Handshake()
		if err == nil {
			_, err = conn.Write([]byte("x"))
		} else {
			a.Close()
		}
		done <- err
	}()
	conn := tls.Client(b, client)
	clientErr = conn.Handshake()
	if clientErr == nil {
		_, clientErr = conn.Read(make([]byte, 1))
	} else {
		b.Close()
	}
	return <-done, clientErr
}

func TestIdentity_AcceptsOnlyItsPeer(t *testing.T) {
	authority, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	host, plugin := issue(t, authority, "reward.gaia.answer")
	if s, c := handshake(t, plugin.Server(), host.Client()); s != nil || c != nil {
		t.Errorf("host to plugin: server %v, client %v", s, c)
	}
	if s, c := handshake(t, authority.Server(), plugin.Client()); s != nil || c != nil {
		t.Errorf("plugin to host: server %v, client %v", s, c)
	}

	_, sibling := issue(t, authority, "environment.calculator.desk")
	if s, c := handshake(t, plugin.Server(), sibling.Client()); s == nil || c == nil {
		t.Errorf("another plugin of the same host was accepted: server %v, client %v", s, c)
	}
	if s, c := handshake(t, sibling.Server(), host.Client()); s == nil && c == nil {
		t.Error("the host accepted the wrong plugin")
	}
	foreign, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	foreignHost, foreignPlugin := issue(t, foreign, "reward.gaia.answer")
	if s, c := handshake(t, plugin.Server(), foreignHost.Client()); s == nil || c == nil {
		t.Errorf("another host was accepted: server %v, client %v", s, c)
	}
	if s, c := handshake(t, authority.Server(), foreignPlugin.Client()); s == nil || c == nil {
		t.Errorf("another host's plugin was accepted: server %v, client %v", s, c)
	}
	if s, c := handshake(t, plugin.Server(), &tls.Config{InsecureSkipVerify: true}); s == nil || c == nil {
		t.Errorf("a client without a certificate was accepted: server %v, client %v", s, c)
	}
}

func TestAuthority_NamesTheCaller(t *testing.T) {
	authority, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	_, plugin := issue(t, authority, "adapter.local.grpo")
	config := authority.Server()
	var got string
	verify := config.VerifyConnection
	config.VerifyConnection = func(state tls.ConnectionState) error {
		got, _ = authority.Instance(state)
		return verify(state)
	}
	if s, c := handshake(t, config, plugin.Client()); s != nil || c != nil {
		t.Fatal(s, c)
	}
	if got != "adapter.local.grpo" {
		t.Errorf("the caller is %q", got)
	}
}

func TestIssue_WritesWhatOtherLanguagesNeed(t *testing.T) {
	authority, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "tls")
	if _, err := authority.Issue("environment.x", dir); err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsedCertificate(t, dir, authorityFile))
	for _, name := range []string{hostCertFile, pluginCertFile} {
		leaf := parsedCertificate(t, dir, name)
		for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
			if _, err := leaf.Verify(x509.VerifyOptions{DNSName: "localhost", Roots: roots,
				KeyUsages: []x509.ExtKeyUsage{usage}}); err != nil {
				t.Errorf("%s below %s: %v", name, authorityFile, err)
			}
		}
		if leaf.IsCA {
			t.Errorf("%s is an authority, which rustls refuses as a leaf", name)
		}
	}
}

func parsedCertificate(t *testing.T, dir, name string) *x509.Certificate {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	block, rest := pem.Decode(text)
	if block == nil || len(rest) != 0 {
		t.Fatalf("%s is not one PEM block", name)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func TestIssue_RefusesADirectoryThatOthersCanRead(t *testing.T) {
	authority, err := NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := authority.Issue("environment.x", dir); err == nil {
		t.Error("a key was written to a directory that others can read")
	}
}
