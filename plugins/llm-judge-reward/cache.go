package llmjudgereward

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
)

// verdictCache stores votes in a file, keyed by all their inputs, so that neither this process nor a later one requests
// or pays for an equal vote again. It is safe for concurrent use.
type verdictCache struct {
	file *jsonLines

	mu    sync.Mutex
	known map[string]verdict
	asked map[string]chan struct{} // pending votes; closed when the request has ended
}

// cachedVote is a line of the file. A line whose checksum is wrong is not used: its vote is requested again.
type cachedVote struct {
	Key string `json:"key"`
	verdict
	Sum string `json:"sum"`
}

// checksum returns the SHA-256 hash of a line without its checksum.
func (r cachedVote) checksum() string {
	r.Sum = ""
	text, _ := json.Marshal(r) // strings and integers: never fails
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func openVerdictCache(path string, log *slog.Logger) (*verdictCache, error) {
	m := &verdictCache{known: map[string]verdict{}, asked: map[string]chan struct{}{}}
	var err error
	m.file, err = openJSONLines(path, func(line []byte) {
		var r cachedVote
		if json.Unmarshal(line, &r) == nil && r.Key != "" && r.Points != nil && r.Sum == r.checksum() {
			m.known[r.Key] = r.verdict
			return
		}
		log.Warn("a stored verdict is damaged; it is requested again", "file", path, "key", r.Key)
	})
	return m, err
}

// once returns the stored vote for a key, or requests it. If there are several concurrent callers, one of them sends
// the request. If that request fails, the next caller sends one.
func (m *verdictCache) once(
	ctx context.Context, key string, ask func() (verdict, error),
) (v verdict, known bool, err error) {
	if m == nil {
		v, err = ask()
		return v, false, err
	}
	for {
		v, known, other := m.enter(key)
		if known {
			return v, true, nil
		}
		if other == nil {
			break
		}
		select {
		case <-other:
		case <-ctx.Done():
			return verdict{}, false, context.Cause(ctx)
		}
	}
	v, err = ask()
	return v, false, m.store(key, v, err)
}

// enter returns the stored vote, or a channel to wait for if it is pending. Otherwise the caller requests it, and
// then calls store.
func (m *verdictCache) enter(key string) (v verdict, known bool, other chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, known = m.known[key]; known {
		return v, true, nil
	}
	if other = m.asked[key]; other == nil {
		m.asked[key] = make(chan struct{})
	}
	return verdict{}, false, other
}

// store stores the vote unless the request failed.
func (m *verdictCache) store(key string, v verdict, err error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() {
		close(m.asked[key])
		delete(m.asked, key)
	}()
	if err != nil {
		return err
	}
	m.known[key] = v
	line := cachedVote{Key: key, verdict: v}
	line.Sum = line.checksum()
	return m.file.add(line)
}

// Close closes the file.
func (m *verdictCache) Close() error {
	if m == nil {
		return nil
	}
	return m.file.Close()
}
