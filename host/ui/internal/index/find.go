package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/runstore"
)

// Query says which episodes are wanted. What is empty or nil does not matter.
type Query struct {
	Step                 *int // that they were drawn for
	Split                string
	Group, Task, Outcome string
	Class, Member        string
	Stage                string
	Standing             string // empty: all but those that are superseded; "any"
	RewardMin, RewardMax *float64
	TurnsMin, TurnsMax   *int
	Text                 string // in what was said, in any case of letters
	Sort                 string // order, reward, -reward, turns, -turns; empty: order
	Limit                int    // 0: all
	Cursor               string // Page.Next of the page before
}

// Page is a part of the episodes that were found.
type Page struct {
	Facts []Fact
	Total int    // of all pages
	Next  string // empty: there are no more
	Cut   int    // episodes whose text is so long that only its first part was searched
}

// QueryError says what of a query cannot be.
type QueryError struct{ Problem string }

// Error implements error.
func (e *QueryError) Error() string { return e.Problem }

// ErrDamaged says that the index does not fit its texts. It is made anew at the next Refresh.
var ErrDamaged = errors.New("the index was damaged and is made anew: ask again")

// Sorts are the orders of a query.
func Sorts() []string { return []string{"order", "reward", "-reward", "turns", "-turns"} }

// Find returns a page of the episodes that fit.
func (x *Index) Find(ctx context.Context, q Query) (Page, error) {
	if q.Sort == "" {
		q.Sort = Sorts()[0]
	}
	if !slices.Contains(Sorts(), q.Sort) {
		return Page{}, &QueryError{fmt.Sprintf("sort %q: want one of %s", q.Sort, strings.Join(Sorts(), ", "))}
	}
	after, err := parseCursor(q.Cursor)
	if err != nil {
		return Page{}, err
	}
	var found []*Fact
	x.mu.RLock()
	for _, f := range x.facts {
		if q.fits(f) {
			found = append(found, f)
		}
	}
	x.mu.RUnlock()
	page := Page{}
	if q.Text != "" {
		if found, page.Cut, err = x.search(ctx, found, q.Text); err != nil {
			return page, err
		}
	}
	page.Total = len(found)
	if q.Sort != "order" {
		slices.SortStableFunc(found, func(a, b *Fact) int { return q.place(a).compare(q.place(b)) })
	}
	if after != nil {
		first, _ := slices.BinarySearchFunc(found, *after, func(f *Fact, p place) int {
			return cmp.Or(q.place(f).compare(p), -1) // behind it
		})
		found = found[first:]
	}
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
		page.Next = q.place(found[len(found)-1]).cursor()
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, f := range found {
		page.Facts = append(page.Facts, *f)
	}
	return page, nil
}

func (q *Query) fits(f *Fact) bool {
	is := func(wanted, value string) bool { return wanted == "" || wanted == value }
	switch {
	case q.Standing == "" && f.Standing == runstore.Superseded,
		q.Standing != "any" && !is(q.Standing, string(f.Standing)),
		q.Step != nil && *q.Step != f.Step,
		!is(q.Split, string(f.Split)), !is(q.Group, f.Group), !is(q.Task, f.Task), !is(q.Stage, f.Stage),
		!is(q.Outcome, string(f.Outcome)), !is(q.Class, string(f.Class)),
		q.Member != "" && !slices.Contains(f.Members, q.Member),
		q.TurnsMin != nil && f.Turns < *q.TurnsMin,
		q.TurnsMax != nil && f.Turns > *q.TurnsMax,
		q.RewardMin != nil && (f.Reward == nil || *f.Reward < *q.RewardMin),
		q.RewardMax != nil && (f.Reward == nil || *f.Reward > *q.RewardMax):
		return false
	}
	return true
}

// place is where an episode stands in an order: by a key, those without one last, and then as in the journal.
type place struct {
	missing bool
	key     float64
	seq     uint64
}

func (q *Query) place(f *Fact) place {
	p := place{seq: f.seq}
	name, down := strings.CutPrefix(q.Sort, "-")
	switch name {
	case "turns":
		p.key = float64(f.Turns)
	case "reward":
		if p.missing = f.Reward == nil || math.IsNaN(*f.Reward); !p.missing {
			p.key = *f.Reward
		}
	}
	if down && !p.missing {
		p.key = -p.key
	}
	return p
}

func (p place) compare(other place) int {
	if p.missing != other.missing {
		if p.missing {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(p.key, other.key), cmp.Compare(p.seq, other.seq))
}

func (p place) cursor() string {
	key := strconv.FormatFloat(p.key, 'g', -1, 64)
	if p.missing {
		key = ""
	}
	return fmt.Sprintf("%d_%s", p.seq, key)
}

func parseCursor(text string) (*place, error) {
	if text == "" {
		return nil, nil
	}
	seq, key, ok := strings.Cut(text, "_")
	p := &place{missing: key == ""}
	var seqErr, keyErr error
	p.seq, seqErr = strconv.ParseUint(seq, 10, 64)
	if !p.missing {
		p.key, keyErr = strconv.ParseFloat(key, 64)
	}
	if !ok || seqErr != nil || keyErr != nil {
		return nil, &QueryError{fmt.Sprintf("cursor %q: want the one that the page before gave as next", cut(text, 100))}
	}
	return p, nil
}

// window is how much of the file of texts is read at once.
const window = 1 << 20

// search leaves those in whose texts a text stands. The file of texts is read from its beginning to its end, as far as
// the episodes need it, by several goroutines.
func (x *Index) search(ctx context.Context, facts []*Fact, text string) (found []*Fact, cut int, err error) {
	wanted := []byte(strings.ToLower(text))
	workers := max(1, min(runtime.GOMAXPROCS(0), 4, len(facts)/1000))
	parts := make([][]*Fact, workers)
	group, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		mine := facts[len(facts)*i/workers : len(facts)*(i+1)/workers]
		group.Go(func() (err error) {
			parts[i], err = x.searchPart(ctx, mine, wanted)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		if errors.Is(err, ErrDamaged) {
			x.reads.Lock()
			x.stale = true
			x.reads.Unlock()
		}
		return nil, 0, err
	}
	for _, f := range facts {
		if f.Cut {
			cut++
		}
	}
	return slices.Concat(parts...), cut, nil
}

func (x *Index) searchPart(ctx context.Context, facts []*Fact, wanted []byte) (found []*Fact, err error) {
	var buffer []byte
	var begin, end int64 // of what is in buffer
	for i, f := range facts {
		if f.text.offset < begin || f.text.end() > end {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			begin, end = f.text.offset, f.text.end()
			for _, next := range facts[i:] {
				if next.text.offset < end || next.text.offset > end+window/16 || next.text.end()-begin > window {
					if next != f {
						break
					}
				}
				end = max(end, next.text.end())
			}
			if buffer, err = x.cache.read(buffer, begin, end); err != nil {
				return nil, err
			}
		}
		text := buffer[f.text.offset-begin : f.text.end()-begin]
		if crc32.Checksum(text, table) != f.text.sum {
			return nil, ErrDamaged
		}
		if bytes.Contains(text[f.text.answer:], wanted) {
			found = append(found, f)
		}
	}
	return found, nil
}

// read reads a part of the texts into buffer, which is made larger where needed.
func (c *cache) read(buffer []byte, begin, end int64) ([]byte, error) {
	n := int(end - begin)
	if cap(buffer) < n {
		buffer = make([]byte, max(n, window))
	}
	buffer = buffer[:n]
	if _, err := c.texts.ReadAt(buffer, begin); err != nil {
		return buffer, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return buffer, nil
}

// Answer returns the first 200 characters of an episode's answer.
func (x *Index) Answer(f Fact) (string, error) {
	if f.text.answer == 0 {
		return "", nil
	}
	text, err := x.cache.read(nil, f.text.offset, f.text.offset+int64(f.text.answer))
	return string(text), err
}

var _ error = (*QueryError)(nil)
