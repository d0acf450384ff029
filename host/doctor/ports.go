package doctor

import (
	"context"
	"net"
	"strings"
)

// lookAtLoopback opens a port on the loopback address, which plugins and frameworks on this machine use.
func (c *Config) lookAtLoopback(ctx context.Context) result {
	f := Finding{Group: Ports, Subject: "loopback", Status: OK}
	address, err := tryListen(ctx, "127.0.0.1")
	if err != nil {
		f.Status, f.Found = Failed, err.Error()
		f.Remedy = "frameworks reach awhost over a port of 127.0.0.1: bring the loopback device up (ip link set lo up), allow listening in the sandbox"
		return found(f)
	}
	f.Found = "a port of " + address + " can be opened"
	return found(f)
}

// lookAtNetwork opens a port on the addresses at which workers on other machines would connect to a bridge. Only those
// machines can test whether the addresses are reachable.
func (c *Config) lookAtNetwork(ctx context.Context) result {
	f := Finding{Group: Ports, Subject: "network", Status: OK}
	addresses := routable()
	if len(addresses) == 0 {
		f.Status, f.Found = Skipped, "no address but loopback: frameworks run on this machine only"
		return found(f)
	}
	var open, problems []string
	for _, a := range addresses {
		if _, err := tryListen(ctx, a); err != nil {
			problems = append(problems, err.Error())
		} else {
			open = append(open, a)
		}
	}
	if len(open) > 0 {
		f.Found = "a port of " + strings.Join(open, ", ") +
			" can be opened; whether a firewall lets other machines in is not known"
	}
	if len(problems) > 0 {
		f.Status, f.Found = Warn, joined(f.Found, strings.Join(problems, ", "))
		f.Remedy = "workers on other machines cannot reach awhost there"
	}
	return found(f)
}

// mostAddresses is the maximum number of addresses to test. Container hosts have hundreds.
const mostAddresses = 4

// routable returns the addresses of this machine that other machines may be able to reach.
func routable() []string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var out []string
	for _, a := range all {
		network, ok := a.(*net.IPNet)
		if ok && network.IP.IsGlobalUnicast() && len(out) < mostAddresses {
			out = append(out, network.IP.String())
		}
	}
	return out
}

// tryListen opens a port chosen by the system, as a bridge does, and closes it.
func tryListen(ctx context.Context, host string) (string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return "", err
	}
	return host, listener.Close()
}
