package bridge

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"
)

// certificateLife is longer than any run.
const certificateLife = 365 * 24 * time.Hour

// newCertificate creates a certificate authority that signs one certificate and is then discarded. Its key never leaves
// this function, so the authority's file can be used only to verify this server.
func newCertificate() (*tls.Config, []byte, error) {
	authorityKey, authority, err := certify("awhost bridge", nil, nil)
	if err != nil {
		return nil, nil, err
	}
	key, leaf, err := certify(serverName, authority, authorityKey)
	if err != nil {
		return nil, nil, err
	}
	config := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}},
	}
	return config, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Raw}), nil
}

// certify creates a key and its certificate, signed by parent; without a parent, it creates an authority.
func certify(name string, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*ecdsa.PrivateKey, *x509.Certificate,
	error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("create the key for %s: %w", name, err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, fmt.Errorf("create a certificate for %s: %w", name, err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(certificateLife),
	}
	if parent == nil {
		parent, signer = template, key
		template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
	} else {
		template.DNSNames, template.KeyUsage = []string{name}, x509.KeyUsageDigitalSignature
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, nil, fmt.Errorf("create a certificate for %s: %w", name, err)
	}
	certificate, err := x509.ParseCertificate(der)
	return key, certificate, err
}
