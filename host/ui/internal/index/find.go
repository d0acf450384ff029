package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/runstore"
)

// Query selects episodes. Empty and nil fields are ignored.
type Query struct {
	Step                 *int // step that they were drawn for
	Split                string
	Group, Task, Outcome string
	Class, Member        string
	Stage                string
	Standing             string // empty: all except superseded episodes; "any": all
	RewardMin, RewardMax *float64
	TurnsMin, TurnsMax   *int
	MalformedMin         *int   // calls that could not be parsed
	Text                 string // text in the conversation, ignoring case
	Sort                 string // one of Sorts; empty: order
	Limit                int    // 0: all; if sorted by group, a page includes all of its last group
	Cursor               string // Page.Next of the previous page

	ranks map[groupOf]int // if sorted by group: the ranks of the groups that were found
}

// Page is one page of the episodes that were found.
type Page struct {
	Facts []Fact
	Total int    // number on all pages
	Next  string // empty: this is the last page
	Cut   int    // episodes of which only the first part of the text was searched, because of its length
}

// QueryError reports an invalid part of a query.
type QueryError struct{ Problem string }

// Error implements error.
func (e *QueryError) Error() string { return e.Problem }

// ErrDamaged reports that the index does not match its text file. The next Refresh rebuilds it.
var ErrDamaged = errors.New("the index was damaged and is being rebuilt: retry the request")

// ErrUnwritable reports that the index directory cannot be written to.
var ErrUnwritable = errors.New("the run's index cannot be written")

// Sorts returns the orders that a query can use: as the episodes ended, by a number, or by group.
func Sorts() []string {
	return []string{"order", byGroup, "reward", "-reward", "turns", "-turns", "seconds", "-seconds"}
}

const byGroup = "group"

// Find returns a page of the matching episodes.
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
	x.mu.RLock()
	rows := x.rows // the rows of this query, even if the index is rebuilt meanwhile
	found := rows.filter(&q)
	x.mu.RUnlock()
	page := Page{}
	if q.Text != "" {
		if found, page.Cut, err = x.search(ctx, found, q.Text); err != nil {
			if errors.Is(err, ErrDamaged) && x.has(rows) {
				x.damaged()
			}
			return page, err
		}
	}
	page.Total = len(found)
	if q.Sort == byGroup {
		x.mu.RLock()
		q.ranks = rows.ranks(found)
		x.mu.RUnlock()
	}
	if q.Sort != "order" {
		slices.SortStableFunc(found, func(a, b *row) int { return q.place(a).compare(q.place(b)) })
	}
	if after != nil {
		found = q.behind(found, *after)
	}
	if end := q.end(found); end < len(found) {
		found = found[:end]
		page.Next = q.place(found[end-1]).cursor()
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, f := range found {
		page.Facts = append(page.Facts, rows.fact(f))
	}
	return page, nil
}

// has reports whether rows are still the index's rows.
func (x *Index) has(rows *rows) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.rows == rows
}

// end returns the number of matching episodes on a page. A group is never split.
func (q *Query) end(found []*row) int {
	end := q.Limit
	if end <= 0 || end >= len(found) {
		return len(found)
	}
	for q.Sort == byGroup && end < len(found) && found[end].groupOf() == found[end-1].groupOf() {
		end++
	}
	return end
}

// behind returns the episodes after the last one on the previous page. If that episode is no longer found, its position
// is used.
func (q *Query) behind(found []*row, last place) []*row {
	if i := slices.IndexFunc(found, func(f *row) bool { return f.seq == last.seq }); i >= 0 {
		return found[i+1:]
	}
	first, _ := slices.BinarySearchFunc(found, last, func(f *row, p place) int {
		return cmp.Or(q.place(f).compare(p), -1)
	})
	return found[first:]
}

// groupOf identifies an episode's group. All members except the step are word numbers.
type groupOf struct{ step, split, stage, group int }

func (r *row) groupOf() groupOf {
	return groupOf{int(r.step), int(r.split), int(r.stage), int(r.group)}
}

// ranks returns the order of the groups: by step, training before validation, then by name. Shorter names come first,
// so that numbers in names sort by value.
func (r *rows) ranks(found []*row) map[groupOf]int {
	ranks := map[groupOf]int{}
	var groups []groupOf
	for _, f := range found {
		g := f.groupOf()
		if _, known := ranks[g]; !known {
			ranks[g] = 0
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b groupOf) int {
		left, right := r.words.list[a.group], r.words.list[b.group]
		return cmp.Or(
			cmp.Compare(a.step, b.step),
			strings.Compare(r.words.list[a.split], r.words.list[b.split]), // train before validation
			cmp.Compare(len(left), len(right)), strings.Compare(left, right), cmp.Compare(a.stage, b.stage))
	})
	for rank, g := range groups {
		ranks[g] = rank
	}
	return ranks
}

// filter returns the rows that match a query, disregarding its text.
func (r *rows) filter(q *Query) []*row {
	standing := q.Standing
	if standing == "any" {
		standing = ""
	}
	var tests []func(*row) bool
	for _, want := range []struct {
		text  string
		words *words
		of    func(*row) uint32
	}{
		{q.Split, r.words, func(r *row) uint32 { return r.split }},
		{q.Group, r.words, func(r *row) uint32 { return r.group }},
		{q.Task, r.words, func(r *row) uint32 { return r.task }},
		{q.Stage, r.words, func(r *row) uint32 { return r.stage }},
		{q.Outcome, r.words, func(r *row) uint32 { return r.outcome }},
		{q.Class, r.words, func(r *row) uint32 { return r.class }},
		{standing, r.verdicts, func(r *row) uint32 { return r.standing }},
	} {
		if want.text == "" {
			continue
		}
		number, known := want.words.numbers[want.text]
		if !known {
			return nil
		}
		tests = append(tests, func(r *row) bool { return want.of(r) == number })
	}
	if number, known := r.verdicts.numbers[string(runstore.Superseded)]; known && q.Standing == "" {
		tests = append(tests, func(r *row) bool { return r.standing != number })
	}
	if q.Member != "" {
		with := r.words.withMember(q.Member)
		tests = append(tests, func(r *row) bool { return with[r.members] })
	}
	var found []*row
	for _, page := range r.pages {
	next:
		for i := range page {
			for _, fits := range tests {
				if !fits(&page[i]) {
					continue next
				}
			}
			if q.inBounds(&page[i]) {
				found = append(found, &page[i])
			}
		}
	}
	return found
}

func (q *Query) inBounds(r *row) bool {
	rewarded := r.flags&hasReward != 0
	return !(q.Step != nil && *q.Step != int(r.step) ||
		q.TurnsMin != nil && int(r.turns) < *q.TurnsMin ||
		q.TurnsMax != nil && int(r.turns) > *q.TurnsMax ||
		q.MalformedMin != nil && int(r.malformed) < *q.MalformedMin ||
		q.RewardMin != nil && !(rewarded && r.reward >= *q.RewardMin) ||
		q.RewardMax != nil && !(rewarded && r.reward <= *q.RewardMax))
}

// place is an episode's position in an order: by a key, with episodes without a key last, and then as in the journal.
type place struct {
	missing bool
	key     float64
	seq     uint64
}

// maxSamples is the maximum number of samples in a group that have distinct places.
const maxSamples = 1 << 20

func (q *Query) place(f *row) place {
	p := place{seq: f.seq}
	name, down := strings.CutPrefix(q.Sort, "-")
	switch name {
	case byGroup:
		p.key = float64(q.ranks[f.groupOf()])*maxSamples + float64(min(f.sample, maxSamples-1))
	case "turns":
		p.key = float64(f.turns)
	case "seconds":
		p.key = f.seconds
	case "reward":
		if p.missing = f.flags&hasReward == 0 || math.IsNaN(f.reward); !p.missing {
			p.key = f.reward
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

// window is the number of bytes of the text file that are read at once.
const window = 1 << 20

// search returns the rows whose texts contain a string. Several goroutines read the text file sequentially, as far as
// the episodes require.
func (x *Index) search(ctx context.Context, rows []*row, text string) (found []*row, cut int, err error) {
	wanted := []byte(strings.ToLower(text))
	workers := max(1, min(runtime.GOMAXPROCS(0), 4, len(rows)/1000))
	parts := make([][]*row, workers)
	group, ctx := errgroup.WithContext(ctx)
	for i := range workers {
		mine := rows[len(rows)*i/workers : len(rows)*(i+1)/workers]
		group.Go(func() (err error) {
			parts[i], err = x.searchPart(ctx, mine, wanted)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, 0, err
	}
	for _, r := range rows {
		if r.flags&isCut != 0 {
			cut++
		}
	}
	return slices.Concat(parts...), cut, nil
}

func (x *Index) searchPart(ctx context.Context, rows []*row, wanted []byte) (found []*row, err error) {
	var buffer []byte
	var begin, end int64 // range of the file in buffer
	for i, f := range rows {
		if f.text.offset < begin || f.text.end() > end {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			begin, end = f.text.offset, f.text.end()
			for _, next := range rows[i:] {
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
		if sumOf(text) != f.text.sum {
			return nil, ErrDamaged
		}
		if bytes.Contains(text[f.text.answer:], wanted) {
			found = append(found, f)
		}
	}
	return found, nil
}

// read reads part of the texts into buffer, which grows if needed.
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
	data, err := x.cache.read(nil, f.text.offset, f.text.offset+int64(f.text.answer))
	answer, whole := verifyChecksum(data)
	if err == nil && whole {
		return answer, nil
	}
	if now, ok := x.Fact(f.ID); ok && now.text == f.text { // otherwise the index has been rebuilt meanwhile
		x.damaged()
	}
	return "", cmp.Or(err, ErrDamaged)
}

// damaged makes the next Refresh rebuild the index.
func (x *Index) damaged() {
	x.reads.Lock()
	defer x.reads.Unlock()
	x.stale = true
}

var _ error = (*QueryError)(nil)
