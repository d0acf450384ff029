package conformance

import (
	"fmt"
	"time"
)

const (
	slowCall     = time.Second // the duration from which a call is slow
	slowFactor   = 8           // how many times as long it takes as calls that must not wait for it, also on slow machines
	waitAttempts = 2           // all of them must be delayed
)

// nextCall opens the episode or, if it is open, sends the next message, and returns the duration. Errors are covered by
// other checks.
func (e *episode) nextCall() (took time.Duration, over bool) {
	begun := time.Now()
	defer func() { took = time.Since(begun) }()
	if e.opened == nil {
		return 0, e.open() != nil
	}
	out, err := e.step(e.next())
	return 0, err != nil || out.GetDone()
}

// checkWaiting repeats the slowest call of the fixtures. Meanwhile, another episode is opened and takes a step without
// tools, which must end before the slow call.
func checkWaiting(t *T) {
	if t.component.GetEnvironment().GetMaxSessions() == 1 {
		t.skipf("%s serves one session at a time", t.component.address())
	}
	var slow time.Duration
	var slowest, before int // the episode, and the number of calls before the slow one
	for n := range t.playableEpisodes() {
		e := t.newEpisode(t.shared(), fmt.Sprintf("slow-%d", n), n)
		for calls, over := 0, false; !over && calls <= maxSteps; calls++ {
			var took time.Duration
			if took, over = e.nextCall(); took > slow {
				slow, slowest, before = took, n, calls
			}
		}
	}
	if slow < slowCall {
		t.skipf("no call of the episodes in the fixtures takes longer than %s", slowCall)
	}
	other := t.episode("quick")
	quick := func() time.Duration {
		begun := time.Now()
		if before > 0 { // otherwise, Open is slow
			_ = other.open()
		}
		_, _ = other.step(assistant("conformance"))
		return time.Since(begun)
	}
	if took := quick(); slow < slowFactor*took {
		t.skipf("the slowest call takes %s, and other calls %s", slow, took)
	}
	for n := range waitAttempts {
		e := t.newEpisode(t.shared(), fmt.Sprintf("slow-again-%d", n), slowest)
		for range before {
			e.nextCall()
		}
		ended := make(chan time.Duration, 1)
		go func() {
			took, _ := e.nextCall()
			ended <- took
		}()
		time.Sleep(slow / 4) // until the call has begun, also on slow machines
		quick()
		select {
		case took := <-ended:
			if took < slowCall {
				return // it is slow only once
			}
		case <-time.After(slow / slowFactor): // the responses of both may arrive at once
			<-ended
			return
		}
	}
	t.errorf("while call %d (1 is Open) of the episode with the task of %s runs, which takes %s, calls of another "+
		"episode do not return", before+1, t.component.fixture.at("episodes", slowest, "task"), slow.Round(time.Millisecond))
}
