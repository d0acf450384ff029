package runstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// usedRecords maps each episode record that counts to its use. It needs about 50 bytes per episode, and is the only
// data that grows with the run while the run is read.
type usedRecords map[RecordKey]usedBy

// RecordKey is half of a record's SHA-256, which is sufficient to distinguish records.
type RecordKey [16]byte

type usedBy struct {
	as   *usage
	step int32
}

// usage describes how an episode was used. There are only a few distinct values, which episodes share.
type usage struct {
	use   sdk.Consumption
	why   string
	stage string // of a validated episode
}

// usages holds the known usages.
type usages map[usage]*usage

func (u usages) of(c Consumed) *usage {
	is := usage{use: c.Use, why: c.Why}
	if c.Use == UseValidated {
		is.stage = c.Slot.Stage
	}
	known, ok := u[is]
	if !ok {
		is = usage{sdk.Consumption(strings.Clone(string(is.use))), strings.Clone(is.why), strings.Clone(is.stage)}
		known = &is
		u[is] = known
	}
	return known
}

// keyOf returns a record's key, given its hash in hexadecimal digits, or false if the hash is invalid.
func keyOf(hash string) (RecordKey, bool) {
	var key RecordKey
	if len(hash) < 2*len(key) {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(hash[:2*len(key)]))
	return key, err == nil
}

// Key returns the record's key.
func (r Record) Key() RecordKey {
	sum := sha256.Sum256(r.Data)
	return RecordKey(sum[:len(RecordKey{})])
}

func (u usedRecords) add(list []listed) {
	for _, l := range list {
		if l.known {
			u[l.key] = l.usedBy
		}
	}
}

func (u usedRecords) has(key RecordKey) bool {
	_, ok := u[key]
	return ok
}

// take returns a record's use, but only once.
func (u usedRecords) take(key RecordKey) (usedBy, bool) {
	use, ok := u[key]
	delete(u, key)
	return use, ok
}

// eachCommit calls visit with each checkpoint in the lineage, in order, and its manifest's list.
func (r *Run) eachCommit(h *history, visit func(Checkpoint, []Consumed) error) error {
	want := map[string]Checkpoint{}
	for _, c := range h.lineage {
		want[c.Manifest] = c
	}
	for record, err := range r.Records(journal.Position{}, TypeConsumed) {
		if err != nil {
			return err
		}
		var list consumedRecord
		if err := json.Unmarshal(record.Data, &list); err != nil {
			return err
		}
		c, ok := want[list.Digest]
		if !ok {
			continue
		}
		delete(want, list.Digest)
		if err := visit(c, list.Consumed); err != nil {
			return err
		}
	}
	if len(want) == 0 || !h.adopted {
		return nil
	}
	tip := h.lineage[len(h.lineage)-1]
	m, _, err := readManifest(r.fs(), tip.Dir)
	if err != nil {
		return err
	}
	return visit(tip, m.Consumed)
}

// latePasses returns the record numbers of the passes that count although no manifest lists them: the first of their
// kind at a checkpoint in the lineage.
func (h *history) latePasses(listed map[passKey]bool) map[uint64]bool {
	stepOf := map[string]int{"": 0}
	for _, c := range h.lineage {
		stepOf[c.Manifest] = c.Step
	}
	late := map[uint64]bool{}
	for _, p := range h.passes {
		key := passKey{p.stage, p.step}
		if step, ok := stepOf[p.after]; ok && step == p.step && !listed[key] {
			listed[key], late[p.seq] = true, true
		}
	}
	return late
}
