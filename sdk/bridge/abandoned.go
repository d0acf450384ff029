package bridge

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/awhost/awhost/sdk"
)

// cancelTimeout bounds the notice that an episode is given up.
const cancelTimeout = 10 * time.Second

// Abandon tells the host of an episode for which a worker waits no more: ctx is that of a Handler's RunEpisode, and ended because the
// worker is gone for good or does not want the episode. Where it ended because the adapter goes, a later life asks again.
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

// Loopback says whether an address to listen on is reached from this machine only; another one wants TLS.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
