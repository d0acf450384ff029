package envservice

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/ownerfile"
)

// ledger records the instances that may be open at the service in one file each, which is written before the instance
// is created and removed after it is released. A killed process leaves the files behind, and the next plugin process of
// the same run, even after a resume, releases the instances.
type ledger struct {
	client *client
	folder string
	log    *slog.Logger

	sweeps   sync.WaitGroup
	sweepCtx context.Context // of sweeps
	end      context.CancelFunc

	mu       sync.Mutex
	left     map[string]instanceRecord // to be released
	sweeping bool
	again    bool // after the current sweep
}

// instanceRecord describes one instance.
type instanceRecord struct {
	InstanceID string          `json:"instance_id"`
	URL        string          `json:"url"`
	EnvType    string          `json:"env_type"`
	TaskID     json.RawMessage `json:"task_id"`
	// pendingUntil is the time until which the service may still be creating the instance. Until then, a response that
	// the instance does not exist is not final. Zero: it exists.
	pendingUntil time.Time
}

const recordSuffix = ".json"

// openLedger reads the files left by an earlier process.
func openLedger(c *client, dir string, log *slog.Logger) (*ledger, error) {
	l := &ledger{client: c, folder: filepath.Join(dir, "instances"), log: log, left: map[string]instanceRecord{}}
	l.sweepCtx, l.end = context.WithCancel(context.Background())
	if err := ownerfile.MkdirAll(l.folder); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(l.folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(l.folder, e.Name())
		text, err := os.ReadFile(path)
		var n instanceRecord
		if err != nil || !strings.HasSuffix(path, recordSuffix) || json.Unmarshal(text, &n) != nil {
			_ = os.Remove(path) // its writer was killed before it created the instance
			continue
		}
		if n.URL != c.base {
			log.Warn("an instance was left at another service, which is not asked: release it there",
				"url", n.URL, "instance", n.InstanceID)
			_ = os.Remove(path)
			continue
		}
		l.left[n.InstanceID] = n
	}
	if len(l.left) > 0 {
		log.Info("instances of an earlier process are released", "instances", len(l.left))
	}
	l.sweep()
	return l, nil
}

func (l *ledger) path(id string) string { return filepath.Join(l.folder, id+recordSuffix) }

// add records an instance before it is created.
func (l *ledger) add(n instanceRecord) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return ownerfile.WriteFile(l.path(n.InstanceID), text)
}

// release releases an instance. A failed release is retried later.
func (l *ledger) release(ctx context.Context, n instanceRecord) error {
	_, err := l.client.ask(ctx, callRelease, n.body(map[string]any{}, emptyObject))
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil && (!isReleaseRefusal(err) || time.Now().Before(n.pendingUntil)) {
		l.left[n.InstanceID] = n
		return err
	}
	if err != nil {
		l.log.Warn("an instance is not released: the service has been asked, and is asked no more",
			"instance", n.InstanceID, "error", err)
	}
	delete(l.left, n.InstanceID)
	if err := os.Remove(l.path(n.InstanceID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isReleaseRefusal reports whether a running service refuses to release an instance, for example because it was never
// created.
func isReleaseRefusal(err error) bool {
	var of *callError
	return errors.As(err, &of) && of.kind == kindFailed
}

// later schedules the release of an instance.
func (l *ledger) later(n instanceRecord) {
	l.mu.Lock()
	l.left[n.InstanceID] = n
	l.mu.Unlock()
	l.sweep()
}

// sweep releases the remaining instances in the background.
func (l *ledger) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.left) == 0 || l.sweepCtx.Err() != nil {
		return
	}
	if l.again = l.sweeping; l.sweeping {
		return
	}
	l.sweeping = true
	l.sweeps.Go(func() {
		for goOn := true; goOn; goOn = l.sweepRequested() {
			l.releaseAll(l.sweepCtx)
		}
	})
}

// sweepRequested reports whether another sweep has been requested in the meantime.
func (l *ledger) sweepRequested() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweeping, l.again = l.again && l.sweepCtx.Err() == nil, false
	return l.sweeping
}

// releaseAll tries to release each remaining instance once, and stops if the service is unavailable.
func (l *ledger) releaseAll(ctx context.Context) {
	tried := map[string]bool{}
	for {
		n, found := l.next(tried)
		if !found || ctx.Err() != nil {
			return
		}
		tried[n.InstanceID] = true
		err := l.release(ctx, n)
		if err != nil && ctx.Err() == nil {
			l.log.Warn("an instance was not released yet", "instance", n.InstanceID, "error", err)
		}
		if err != nil && !isReleaseRefusal(err) {
			return
		}
	}
}

func (l *ledger) next(tried map[string]bool) (instanceRecord, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, n := range l.left {
		if !tried[id] {
			return n, true
		}
	}
	return instanceRecord{}, false
}

// close tries to release the remaining instances one last time, until ctx is done. The others stay on disk for the next
// process.
func (l *ledger) close(ctx context.Context) {
	l.end()
	l.sweeps.Wait()
	l.releaseAll(ctx)
}

// body returns the body of a call about the instance.
func (n instanceRecord) body(messages any, params json.RawMessage) body {
	return body{
		EnvType: n.EnvType, TaskID: n.TaskID, InstanceID: &n.InstanceID, Messages: messages, Params: params,
	}
}

var emptyObject = json.RawMessage("{}")

func orEmpty(object json.RawMessage) json.RawMessage {
	if !present(object) {
		return emptyObject
	}
	return object
}
