package conformance

import (
	"fmt"
	"time"
)

const (
	slowCall = time.Second // the duration from which a call is slow
	// A slow call takes at least this many times as long as the calls that must not wait for it, so that these end
	// earlier even on a slow machine.
	slowFactor   = 8
	waitAttempts = 2 // all of them must be delayed
)

// slowCallOf is the slowest call of the episodes in the fixtures.
type slowCallOf struct {
	took time.Duration
	n    int // the episode
	step int // 0: Open
}

func (t *T) slowestCall() (slowest slowCallOf) {
	for n := range t.playableEpisodes() {
		begun := time.Now()
		e := t.episodeIn(t.shared(), fmt.Sprintf("slow-%d", n), n)
		for over := false; ; {
			if took := time.Since(begun); took > slowest.took {
				slowest = slowCallOf{took, n, e.steps}
			}
			if over || e.steps == maxSteps {
				break
			}
			begun = time.Now()
			out, err := e.step(e.next())
			over = err != nil || out.GetDone() // an error is covered by another check
		}
		e.close()
	}
	return slowest
}

// checkWaiting repeats the slowest call of the fixtures. Meanwhile, another episode is opened and takes a step without
// tools, which must end before the slow call.
func checkWaiting(t *T) {
	if t.component.GetEnvironment().GetMaxSessions() == 1 {
		t.skipf("%s serves one session at a time", t.component.address())
	}
	slow := t.slowestCall()
	if slow.took < slowCall {
		t.skipf("no call of the episodes in the fixtures takes longer than %s", slowCall)
	}
	other := t.episode("quick")
	quick := func() time.Duration {
		begun := time.Now()
		if slow.step > 0 {
			other.round, other.steps = other.round+1, 0
			_ = other.open() // errors are covered by other checks
		}
		_, _ = other.step(assistant("conformance"))
		return time.Since(begun)
	}
	if took := quick(); slow.took < slowFactor*took {
		t.skipf("the slowest call takes %s, and other calls %s", slow.took, took)
	}
	for n := range waitAttempts {
		e := &episode{t: t, p: t.shared(), id: fmt.Sprintf("conformance/waits/%d", n)}
		e.fixture, e.scripted = t.playable(e.p, slow.n)
		t.cleanup(e.close)
		if slow.step > 0 {
			t.need(e.open(), "Open of the task of "+e.fixture.place)
			e.advance(slow.step - 1)
		}
		begun, ended := time.Now(), make(chan time.Duration, 1)
		go func() {
			if slow.step > 0 {
				_, _ = e.step(e.next())
			} else {
				_ = e.open()
			}
			ended <- time.Since(begun)
		}()
		time.Sleep(slow.took / slowFactor) // until the call has begun
		quick()
		select {
		case took := <-ended:
			if took < slowCall {
				return // it is slow only once
			}
		default:
			<-ended
			return
		}
		e.close()
	}
	what := fmt.Sprintf("step %d", slow.step)
	if slow.step == 0 {
		what = "Open"
	}
	t.errorf("while %s of the episode with the task of %s runs, which takes %s, calls of another episode do not return",
		what, other.fixture.place, slow.took.Round(time.Millisecond))
}
