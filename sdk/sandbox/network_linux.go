package sandbox

import (
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// listen brings up the loopback device, which is the only network device, and listens on the addresses.
func listen(addresses []string) ([]int, error) {
	if err := loopbackUp(); err != nil {
		return nil, err
	}
	var sockets []int
	for _, address := range addresses {
		socket, err := listenOn(address)
		if err != nil {
			return nil, fmt.Errorf("listen on %s: %w", address, err)
		}
		sockets = append(sockets, socket)
	}
	return sockets, nil
}

func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return os.NewSyscallError("SIOCSIFFLAGS", unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request))
}

// listenOn uses plain system calls, because a socket from package net would start a poller that this process does not
// need.
func listenOn(address string) (int, error) {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return 0, err
	}
	family, name := unix.AF_INET6, unix.Sockaddr(&unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()})
	if at.Addr().Is4() {
		family, name = unix.AF_INET, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}
	}
	socket, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	if err := unix.Bind(socket, name); err != nil {
		return 0, err
	}
	return socket, unix.Listen(socket, unix.SOMAXCONN)
}
