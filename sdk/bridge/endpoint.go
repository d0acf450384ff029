package bridge

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
)

// The files of Options.Dir.
const (
	endpointName  = "bridge.json"
	tokenName     = "bridge.token"
	authorityName = "bridge-ca.pem"
)

const (
	endpointFormat = "awhost.bridge/1"
	serverName     = "localhost"
)

// endpoint is the content of the endpoint file.
type endpoint struct {
	Format     string   `json:"format"`
	Run        string   `json:"run"`
	Epoch      int      `json:"epoch"`
	Endpoints  []string `json:"endpoints"`
	TokenFile  string   `json:"token_file"`
	CAFile     string   `json:"ca_file,omitempty"`
	ServerName string   `json:"server_name,omitempty"`
	Port       string   `json:"port"` // the port of the server, for the next epoch
}

// checkAddress rejects non-loopback addresses without TLS, and wildcard addresses without Advertise.
func checkAddress(o Options) error {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return fmt.Errorf("Options.Address: %w: write host:port", err)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && !ip.IsLoopback() && !o.TLS {
		return fmt.Errorf("Options.Address %s is not a loopback address, so others could read the traffic; set "+
			"Options.TLS", o.Address)
	}
	if (host == "" || ip.IsUnspecified()) && len(o.Advertise) == 0 {
		return fmt.Errorf("Options.Address %s covers all of this machine's addresses: set the address for workers "+
			"in Options.Advertise", o.Address)
	}
	return nil
}

// previousEndpoint reads the endpoint file of the previous epoch. It returns nil if this run does not have one.
func previousEndpoint(o Options) (*endpoint, error) {
	path := filepath.Join(o.Dir, endpointName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var e endpoint
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("%s is not an endpoint file (%w): remove it", path, err)
	}
	if e.Run != o.Run {
		return nil, nil
	}
	if e.Epoch >= o.Epoch {
		return nil, fmt.Errorf("%s has epoch %d, and this is epoch %d: workers would confuse the two adapters: "+
			"continue the count", path, e.Epoch, o.Epoch)
	}
	return &e, nil
}

// listen prefers the previous epoch's port, because workers that have already read the file will connect to this server
// there.
func listen(o Options, before *endpoint) (net.Listener, error) {
	host, port, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, err
	}
	if before != nil && port == "0" && before.Port != "" {
		if l, err := net.Listen("tcp", net.JoinHostPort(host, before.Port)); err == nil {
			return l, nil
		}
	}
	return net.Listen("tcp", o.Address)
}

// publish writes the token, then the endpoint file that names it.
func publish(o Options, bound net.Addr, token string, authority []byte) error {
	_, port, err := net.SplitHostPort(bound.String())
	if err != nil {
		return err
	}
	e := endpoint{Format: endpointFormat, Run: o.Run, Epoch: o.Epoch, TokenFile: tokenName,
		Endpoints: []string{bound.String()}, Port: port}
	if len(o.Advertise) > 0 {
		e.Endpoints = advertised(o.Advertise, port)
	}
	if authority != nil {
		e.CAFile, e.ServerName = authorityName, serverName
		if err := replaceFile(filepath.Join(o.Dir, authorityName), authority); err != nil {
			return err
		}
	}
	if err := replaceFile(filepath.Join(o.Dir, tokenName), []byte(token+"\n")); err != nil {
		return err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(o.Dir, endpointName), append(text, '\n'))
}

func advertised(addresses []string, port string) []string {
	out := make([]string, len(addresses))
	for i, address := range addresses {
		out[i] = address
		if _, given, err := net.SplitHostPort(address); err != nil || !isPort(given) {
			out[i] = net.JoinHostPort(address, port)
		}
	}
	return out
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0 && n < 1<<16
}

// replaceFile writes a file that only the user can read. Readers see either the entire file or the previous one.
func replaceFile(path string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(content); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func newToken() string {
	var secret [32]byte
	rand.Read(secret[:]) // never fails: see its documentation
	return hex.EncodeToString(secret[:])
}
