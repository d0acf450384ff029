// Package mtls creates the TLS identities of a host and its plugins.
//
// A host process has one certificate authority, whose key is never written to disk. Each plugin instance gets two
// leaves, one for the host's side and one for its own. Each side accepts exactly the other's leaf, so that no plugin
// can impersonate another:
//
//	authority, err := mtls.NewAuthority()
//	leaf, err := authority.Issue("reward.gaia.answer", dir) // writes plugin.crt, plugin.key and host.crt into dir
//	… start the plugin with AWHOST_TLS_DIR=dir, dial it with leaf.Client() …
//
//	identity, err := mtls.LoadPlugin(os.Getenv("AWHOST_TLS_DIR")) // inside the plugin
//	… it has answered: it has its key …
//	err = mtls.RemoveKey(dir)
//
// The leaves are not authorities themselves, are P-256, and carry the name localhost and both key usages, which Go,
// Python, Node and Rust all accept. The package does not depend on processes or gRPC.
//
// Issue also writes ca.crt, the authority's certificate, for TLS libraries that accept only an authority as a root
// (rustls, Node). ca.crt alone would admit any of the host's plugins, so a plugin that uses it must also compare its
// peer's certificate with host.crt.
package mtls

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// The files in a plugin's TLS directory.
const (
	pluginCertFile = "plugin.crt"
	pluginKeyFile  = "plugin.key"
	hostCertFile   = "host.crt"
	hostKeyFile    = "host.key" // only for IssuePending and IssueForPlugin
	authorityFile  = "ca.crt"
)

// lifetime of certificates: longer than any run.
const lifetime = 365 * 24 * time.Hour

// Authority signs the leaf certificates for one host process.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey

	mu     sync.Mutex
	issued map[string]string // DER of a plugin's leaf to its instance
	host   tls.Certificate   // for the host's own service
}

// NewAuthority creates an authority with a new key.
func NewAuthority() (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "awhost"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(lifetime),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("make an authority: %w", err)
	}
	a := &Authority{cert: cert, key: key, issued: map[string]string{}}
	a.host, err = a.leaf("host")
	return a, err
}

func serial() *big.Int {
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // the system has no source of randomness
	}
	return n
}

func (a *Authority) leaf(name string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("create a leaf certificate for %s: %w", name, err)
	}
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: name}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth,
			x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("create a leaf certificate for %s: %w", name, err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// Issue creates the identity of a plugin instance and writes its part to dir, which only the user can read.
func (a *Authority) Issue(instance, dir string) (*Identity, error) {
	leaf, err := a.leaf(instance)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalECPrivateKey(leaf.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		return nil, fmt.Errorf("encode the key of %s: %w", instance, err)
	}
	if err := makePrivate(dir); err != nil {
		return nil, fmt.Errorf("issue an identity for %s: %w", instance, err)
	}
	files := map[string][]byte{
		pluginCertFile: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Certificate[0]}),
		pluginKeyFile:  pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key}),
		hostCertFile:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.host.Certificate[0]}),
		authorityFile:  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}),
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, fmt.Errorf("issue an identity for %s: %w", instance, err)
		}
	}
	a.mu.Lock()
	a.issued[string(leaf.Certificate[0])] = instance
	a.mu.Unlock()
	return &Identity{own: a.host, peers: acceptOnly(leaf.Certificate[0])}, nil
}

// IssuePending creates, inside the plugin, the identities for the plugin and for a future host. The host reads its
// identity from dir, which only the user can read (LoadHost, LoadAuthority).
func IssuePending(instance, dir string) (*Identity, error) {
	a, err := NewAuthority()
	if err != nil {
		return nil, err
	}
	if _, err := a.Issue(instance, dir); err != nil {
		return nil, err
	}
	plugin, err := LoadPlugin(dir)
	if err != nil {
		return nil, err
	}
	if err := RemoveKey(dir); err != nil { // the plugin has loaded it
		return nil, err
	}
	return plugin, a.writeHostKey(dir)
}

// IssueForPlugin creates, inside the host, the identities for the host and for a plugin that is waiting for them. It
// creates dir, whose parent only the user can read, atomically. An existing dir is left unchanged.
func IssueForPlugin(instance, dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	a, err := NewAuthority()
	if err != nil {
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	if _, err := a.Issue(instance, made); err != nil {
		return err
	}
	if err := a.writeHostKey(made); err != nil {
		return err
	}
	if err := os.Rename(made, dir); err != nil && !errors.Is(err, fs.ErrExist) { // another host's is equally valid
		return err
	}
	return nil
}

// writeHostKey writes the key of the host's leaf certificate for hosts that attach.
func (a *Authority) writeHostKey(dir string) error {
	key, err := x509.MarshalECPrivateKey(a.host.PrivateKey.(*ecdsa.PrivateKey))
	if err != nil {
		return fmt.Errorf("encode the key of a host: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: key})
	return os.WriteFile(filepath.Join(dir, hostKeyFile), text, 0o600)
}

// LoadHost loads the host's side of the output of IssuePending or IssueForPlugin.
func LoadHost(dir string) (*Identity, error) {
	return load(dir, hostCertFile, hostKeyFile, pluginCertFile)
}

// LoadAuthority loads the host's side of the output of IssuePending or IssueForPlugin as the authority of one plugin,
// for the service that the plugin calls.
func LoadAuthority(dir, instance string) (*Authority, error) {
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, hostCertFile), filepath.Join(dir, hostKeyFile))
	if err != nil {
		return nil, err
	}
	plugin, err := readCertificate(filepath.Join(dir, pluginCertFile))
	if err != nil {
		return nil, err
	}
	return &Authority{host: own, issued: map[string]string{string(plugin): instance}}, nil
}

// RemoveKey removes the key that Issue wrote after the plugin has read it. Otherwise, a process that reads the key
// could call the host on behalf of the plugin.
func RemoveKey(dir string) error { return os.Remove(filepath.Join(dir, pluginKeyFile)) }

// makePrivate creates dir or checks that only the user can access an existing one.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		err = fmt.Errorf("other users can read %s (mode %04o): set its mode to 0700", dir, info.Mode().Perm())
	}
	return err
}

// Server returns the TLS configuration for the host's own service, which accepts every plugin certified by this
// authority.
func (a *Authority) Server() *tls.Config {
	return (&Identity{own: a.host, peers: func(der []byte) error {
		if _, ok := a.instance(der); !ok {
			return errors.New("the caller is not a plugin of this host")
		}
		return nil
	}}).Server()
}

// Instance returns the plugin instance at the other end of a connection to a Server.
func (a *Authority) Instance(state tls.ConnectionState) (string, bool) {
	if len(state.PeerCertificates) == 0 {
		return "", false
	}
	return a.instance(state.PeerCertificates[0].Raw)
}

func (a *Authority) instance(der []byte) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	name, ok := a.issued[string(der)]
	return name, ok
}

// Identity is one side of a connection: its leaf certificate and the peers that it accepts.
type Identity struct {
	own   tls.Certificate
	peers func(der []byte) error
}

// LoadPlugin loads, inside the plugin, the files that Issue wrote.
func LoadPlugin(dir string) (*Identity, error) {
	if dir == "" {
		return nil, errors.New("the directory is empty")
	}
	return load(dir, pluginCertFile, pluginKeyFile, hostCertFile)
}

// load loads one side of a connection.
func load(dir, cert, key, peer string) (*Identity, error) {
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, cert), filepath.Join(dir, key))
	if err != nil {
		return nil, err
	}
	other, err := readCertificate(filepath.Join(dir, peer))
	if err != nil {
		return nil, err
	}
	return &Identity{own: own, peers: acceptOnly(other)}, nil
}

// readCertificate returns the DER encoding of a certificate in a file.
func readCertificate(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s is not a PEM certificate", path)
	}
	return block.Bytes, nil
}

// acceptOnly returns a check that accepts exactly one certificate.
func acceptOnly(want []byte) func([]byte) error {
	return func(der []byte) error {
		if !bytes.Equal(der, want) {
			return errors.New("the peer's certificate is not the expected one")
		}
		return nil
	}
}

// Server returns a configuration for listening.
func (i *Identity) Server() *tls.Config {
	c := i.base()
	c.ClientAuth = tls.RequireAnyClientCert
	return c
}

// Client returns a configuration for dialing.
func (i *Identity) Client() *tls.Config {
	c := i.base()
	c.ServerName = "localhost"
	return c
}

// base replaces the check of the certificate chain with a check of the leaf itself, which is stricter: a certificate is
// accepted only if it equals the agreed one byte for byte and the peer has proved that it has the key.
func (i *Identity) base() *tls.Config {
	peers := i.peers
	return &tls.Config{
		Certificates: []tls.Certificate{i.own}, MinVersion: tls.VersionTLS13,
		InsecureSkipVerify: true, // VerifyConnection below checks the exact leaf instead
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) == 0 {
				return errors.New("the peer presented no certificate")
			}
			return peers(state.PeerCertificates[0].Raw)
		},
	}
}
