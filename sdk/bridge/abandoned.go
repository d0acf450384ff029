package bridge

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/awhost/awhost/sdk"
)

// cancelTimeout limits the time for reporting that an episode is abandoned.
const cancelTimeout = 10 * time.Second

// Abandon cancels an episode at the host if its worker is no longer waiting for it. ctx is the context of a Handler's
// RunEpisode; it must have ended because the worker has permanently disconnected or has canceled the episode. If it
// ended because the adapter is closing, Abandon does nothing: a later adapter process will request the episode again.
func Abandon(ctx context.Context, host sdk.Host, episode string) error {
	cause := context.Cause(ctx)
	var cancelled *Cancelled
	if !errors.Is(cause, ErrGone) && !errors.As(cause, &cancelled) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	return host.CancelEpisode(ctx, episode, cause.Error())
}

// Loopback reports whether a listen address is reachable only from this machine. Other addresses need TLS.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
