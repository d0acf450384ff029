package gateway

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
)

// remote listens with TLS, using the names in a certificate.
func (g *Gateway) remote(e RemoteListener) error {
	pair, host, err := e.load()
	if err != nil {
		return err
	}
	plain, err := net.Listen("tcp", e.Listen)
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(plain.Addr().String())
	if err != nil {
		return errors.Join(err, plain.Close())
	}
	g.certificate = pair.Leaf
	g.listener = tls.NewListener(plain, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	g.url = "https://" + net.JoinHostPort(host, port)
	return nil
}

// Check returns an error if the files are invalid or the certificate does not cover the host name.
func (e RemoteListener) Check() error {
	_, _, err := e.load()
	return err
}

// load reads the certificate and returns the host name at which programs reach the gateway.
func (e RemoteListener) load() (tls.Certificate, string, error) {
	if e.Certificate == "" || e.Key == "" {
		return tls.Certificate{}, "", errors.New("without TLS agents are served on loopback alone, because what they send, " +
			"keys included, could be read on the way: name the files of a certificate and of its key")
	}
	pair, err := tls.LoadX509KeyPair(e.Certificate, e.Key)
	if err != nil {
		return tls.Certificate{}, "", fmt.Errorf("read certificate and key: %w", err)
	}
	host := e.Host
	if names := pair.Leaf.DNSNames; host == "" && len(names) > 0 {
		host = names[0]
	}
	if addresses := pair.Leaf.IPAddresses; host == "" && len(addresses) > 0 {
		host = addresses[0].String()
	}
	if strings.Contains(host, "*") {
		return tls.Certificate{}, "", fmt.Errorf("programs cannot verify the gateway's certificate, which is for %s: "+
			"choose one of these names as the gateway's address", host)
	}
	if err := pair.Leaf.VerifyHostname(cmp.Or(host, "?")); err != nil {
		return tls.Certificate{}, "", fmt.Errorf("programs cannot verify the gateway's identity: %w", err)
	}
	return pair, host, nil
}
