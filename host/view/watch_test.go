//go:build linux

package view

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/host/view/text"
)

func TestWatch_LooksAgainUntilThePersonLeaves(t *testing.T) {
	console := openTerminal(t, 60, 6)
	console.read()
	looks := 0
	look := func(context.Context) func(*text.Printer) {
		looks++
		words := fmt.Sprintf("look %d of evil\x1b[2J", looks)
		return func(out *text.Printer) {
			for range 9 {
				out.Line(words)
			}
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- Watch(t.Context(), console.options(nil), time.Millisecond, look) }()
	console.await(enterScreen)
	console.await("3")
	console.await("more lines")
	console.press("q")
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("q does not end it")
	}
	console.end()
	if shown := console.text(); strings.Contains(shown, "evil\x1b[2J") || !strings.Contains(shown, leaveScreen) {
		t.Errorf("the terminal shows %q", shown)
	}
}

func TestWatch_EndsWithItsContext(t *testing.T) {
	console := openTerminal(t, 60, 20)
	console.read()
	ctx, cancel := context.WithCancel(t.Context())
	look := func(context.Context) func(*text.Printer) { return func(*text.Printer) { cancel() } }
	if err := Watch(ctx, console.options(nil), time.Hour, look); err != nil {
		t.Error(err)
	}
	console.end()
}
