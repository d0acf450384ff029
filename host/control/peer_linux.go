package control

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// checkPeer rejects other users. Normally, the permissions of the socket directory keep them out; this check covers a
// directory whose permissions were relaxed.
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("the connection is not a Unix socket")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return fmt.Errorf("read the client's credentials: %w", err)
	}
	var peer *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET,
			unix.SO_PEERCRED)
	}); err != nil {
		return fmt.Errorf("read the client's credentials: %w", err)
	}
	if failed != nil {
		return fmt.Errorf("read the client's credentials: %w", failed)
	}
	if int(peer.Uid) != os.Geteuid() && peer.Uid != 0 {
		return fmt.Errorf("this run belongs to user %d, but you are user %d", os.Geteuid(), peer.Uid)
	}
	return nil
}
