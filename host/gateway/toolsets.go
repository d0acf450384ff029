package gateway

import (
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/awhost/awhost/sdk"
)

// toolsets holds the tool lists shared by calls in progress. A program sends the same list with every request in every
// episode, and the list may make up most of the request. One copy is kept in memory for as long as a call uses it.
type toolsets struct {
	seed maphash.Seed

	mu    sync.Mutex
	lists map[uint64]weak.Pointer[toolset]
}

type toolset struct{ tools []sdk.Tool }

func newToolsets() *toolsets {
	return &toolsets{seed: maphash.MakeSeed(), lists: map[uint64]weak.Pointer[toolset]{}}
}

// share returns an existing list that equals tools, or tools itself. The list must not be modified from then on.
func (t *toolsets) share(tools []sdk.Tool) *toolset {
	if len(tools) == 0 {
		return &toolset{tools}
	}
	key := t.keyOf(tools)
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.lists[key].Value(); known != nil && slices.EqualFunc(known.tools, tools, sameTool) {
		return known
	}
	out := &toolset{tools}
	pointer := weak.Make(out)
	t.lists[key] = pointer
	runtime.AddCleanup(out, func(key uint64) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.lists[key] == pointer {
			delete(t.lists, key)
		}
	}, key)
	return out
}

// keyOf returns the hash of a list. Different lists may have the same hash.
func (t *toolsets) keyOf(tools []sdk.Tool) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	for _, tool := range tools {
		_, _ = h.WriteString(tool.Name)
		_, _ = h.WriteString(tool.Description)
		_, _ = h.Write(tool.Parameters)
	}
	return h.Sum64()
}
