package conformance

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Files and directories that episodes, or items, leave behind: a run of days has millions of them.

// litterRounds are the numbers of episodes, or items, per batch. Files of the first batch may stay.
var litterRounds = []int{16, 24, 48}

// litter counts directory entries by kind of name.
type litter map[string]int

// lookedAt is a directory that a check inspects.
type lookedAt struct {
	what  string
	path  string
	whole bool // used by the plugin only: everything below it counts. Otherwise names are counted by kind.
}

// litterPlaces returns the component's own directories, and the shared ones.
func (t *T) litterPlaces(temporary, own string) []lookedAt {
	list := []lookedAt{{"its TMPDIR", temporary, true}}
	if t.component.fixture.Keeps == "" {
		list = append(list, lookedAt{"its own directory", own, true})
	}
	seen := map[string]bool{}
	home, _ := os.UserHomeDir()
	for _, path := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", home, cmp.Or(t.suite.config.Dir, ".")} {
		if at, err := filepath.Abs(path); err == nil && path != "" && !seen[at] {
			seen[at] = true
			list = append(list, lookedAt{at, at, false})
		}
	}
	return list
}

// look counts the entries of the directory.
func (l lookedAt) look() litter {
	out := litter{}
	if !l.whole {
		list, _ := os.ReadDir(l.path) // unreadable directories are ignored
		for _, entry := range list {
			out[beginning(entry.Name())]++
		}
		return out
	}
	_ = filepath.WalkDir(l.path, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && path != l.path {
			out[""]++
		}
		return nil // deleted meanwhile: not counted
	})
	return out
}

// beginning returns the common prefix of the names of one kind.
func beginning(name string) string {
	at := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	if at < 0 {
		at = len(name)
	}
	return name[:min(at, 3)]
}

// example returns one of the new names.
func (l lookedAt) example(kind string) string {
	var last string
	_ = filepath.WalkDir(l.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == l.path {
			return nil
		}
		if l.whole || beginning(entry.Name()) == kind {
			last = path
		}
		if !l.whole && entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return last
}

// littering checks that the number of files does not grow with each round. Between batches everything is closed.
func (t *T) littering(what string, play func(p *client.Plugin, from, most int)) {
	temporary, err := os.MkdirTemp(t.suite.dir, "tmp-")
	t.need(err, "make a directory")
	own := t.ownDir()
	p := t.startAs(starting{env: map[string]string{"TMPDIR": temporary, "TMP": temporary, "TEMP": temporary}})
	t.need(t.suite.configureWith(t.ctx, p, t.suite.configureRequest(t.component, own)), "configure the component")
	places := t.litterPlaces(temporary, own)
	var counts [][]litter // by batch, by directory
	from := 0
	for _, n := range litterRounds {
		play(p, from, n)
		from += n
		now := make([]litter, len(places))
		for i, place := range places {
			now[i] = place.look()
		}
		counts = append(counts, now)
	}
	for i, place := range places {
		for kind, last := range counts[len(counts)-1][i] {
			if place.left(counts, i, kind) {
				t.errorf("%s contains %d more files or directories after %d %ss, such as %s", place.what, last-counts[0][i][kind],
					from-litterRounds[0], what, place.example(kind))
			}
		}
	}
}

// left reports whether the number of names of a kind has grown with the rounds of each batch except the first. Other
// processes write to shared directories as well: there only a growth of one to four names per round counts, in every
// batch.
func (l lookedAt) left(counts [][]litter, i int, kind string) bool {
	for batch := 1; batch < len(counts); batch++ {
		more, rounds := counts[batch][i][kind]-counts[batch-1][i][kind], litterRounds[batch]
		if l.whole && more < rounds/4 || !l.whole && (more < rounds || more > 4*rounds) {
			return false
		}
	}
	return true
}

// reasons lists the reasons of a host to close an episode.
var reasons = []string{"done", "failed", "cancelled"}

func checkEnvironmentFiles(t *T) {
	atOnce := sideBySide
	if most := int(t.component.GetEnvironment().GetMaxSessions()); most > 0 {
		atOnce = min(atOnce, most)
	}
	t.littering("episode", func(p *client.Plugin, from, most int) {
		for n := 0; n < most; n += atOnce {
			var open []*episode
			for k := range min(atOnce, most-n) {
				open = append(open, t.episodeIn(p, fmt.Sprintf("files/%d", from+n+k), from+n+k))
			}
			for k, e := range open {
				if k%4 == 0 {
					e.begin()
				}
				_, err := e.tryPlay(probedSteps)
				t.need(err, "Step")
				_, err = environmentOf(p).Close(t.call(), &awhostv1.CloseRequest{EpisodeId: e.id,
					InstanceId: e.opened.GetInstanceId(), Reason: reasons[k%len(reasons)]})
				t.need(err, "Close")
			}
		}
	})
}

func checkRewardFiles(t *T) {
	known := t.items()
	t.littering("item", func(p *client.Plugin, from, most int) {
		for n := range most {
			i := proto.Clone(known[n%len(known)].ScoreItem).(*awhostv1.ScoreItem)
			i.EpisodeId = fmt.Sprintf("conformance/files/%d", from+n)
			_, err := rewardOf(p).Score(t.call(), &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i}})
			t.need(err, "Score")
		}
	})
}
