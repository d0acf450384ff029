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

// leftoverRounds holds the number of episodes or items in each batch. Files from the first batch may remain.
var leftoverRounds = []int{16, 24, 48}

// leftovers counts directory entries by the kind of name.
type leftovers map[string]int

// inspectedDir is a directory that a check inspects.
type inspectedDir struct {
	label     string
	path      string
	exclusive bool // used only by the plugin: everything below it counts. Otherwise, names are counted by kind.
}

// leftoverDirs returns the component's own directories and the shared ones.
func (t *T) leftoverDirs(temporary, own string) []inspectedDir {
	list := []inspectedDir{{"its TMPDIR", temporary, true}}
	if t.component.fixture.Keeps == "" {
		list = append(list, inspectedDir{"its own directory", own, true})
	}
	seen := map[string]bool{}
	home, _ := os.UserHomeDir()
	for _, path := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm", home, cmp.Or(t.suite.config.Dir, ".")} {
		if at, err := filepath.Abs(path); err == nil && path != "" && !seen[at] {
			seen[at] = true
			list = append(list, inspectedDir{at, at, false})
		}
	}
	return list
}

// count counts the entries in the directory.
func (l inspectedDir) count() leftovers {
	out := leftovers{}
	if !l.exclusive {
		list, _ := os.ReadDir(l.path) // unreadable directories are ignored
		for _, entry := range list {
			out[namePrefix(entry.Name())]++
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

// namePrefix returns the common prefix of the names of a kind.
func namePrefix(name string) string {
	at := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	if at < 0 {
		at = len(name)
	}
	return name[:min(at, 3)]
}

// example returns one of the new names.
func (l inspectedDir) example(kind string) string {
	var last string
	_ = filepath.WalkDir(l.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == l.path {
			return nil
		}
		if l.exclusive || namePrefix(entry.Name()) == kind {
			last = path
		}
		if !l.exclusive && entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return last
}

// checkLeftovers checks that the number of files does not grow with each round. Between batches, everything is closed.
func (t *T) checkLeftovers(what string, play func(p *client.Plugin, from, most int)) {
	temporary, err := os.MkdirTemp(t.suite.dir, "tmp-")
	t.need(err, "make a directory")
	own := t.ownDir()
	p := t.startAs(startSettings{env: map[string]string{"TMPDIR": temporary, "TMP": temporary, "TEMP": temporary}})
	t.need(t.suite.configureWith(t.ctx, p, t.suite.configureRequest(t.component, own)), "configure the component")
	places := t.leftoverDirs(temporary, own)
	var counts [][]leftovers // by batch, by directory
	from := 0
	for _, n := range leftoverRounds {
		play(p, from, n)
		from += n
		now := make([]leftovers, len(places))
		for i, place := range places {
			now[i] = place.count()
		}
		counts = append(counts, now)
	}
	for i, place := range places {
		for kind, last := range counts[len(counts)-1][i] {
			if place.grows(counts, i, kind) {
				t.errorf("%s contains %d more files or directories after %d %ss, such as %s", place.label, last-counts[0][i][kind],
					from-leftoverRounds[0], what, place.example(kind))
			}
		}
	}
}

// grows reports whether the number of names of a kind has grown with the rounds in each batch except the first. Other
// processes also write to shared directories, so there only growth of one to four names per round counts, and only if
// it occurs in every batch.
func (l inspectedDir) grows(counts [][]leftovers, i int, kind string) bool {
	for batch := 1; batch < len(counts); batch++ {
		more, rounds := counts[batch][i][kind]-counts[batch-1][i][kind], leftoverRounds[batch]
		if l.exclusive && more < rounds/4 || !l.exclusive && (more < rounds || more > 4*rounds) {
			return false
		}
	}
	return true
}

// closeReasons lists a host's reasons for closing an episode.
var closeReasons = []string{"done", "failed", "cancelled"}

func checkEnvironmentFiles(t *T) {
	atOnce := parallelEpisodes
	if most := int(t.component.GetEnvironment().GetMaxSessions()); most > 0 {
		atOnce = min(atOnce, most)
	}
	t.checkLeftovers("episode", func(p *client.Plugin, from, most int) {
		for n := 0; n < most; n += atOnce {
			var open []*episode
			for k := range min(atOnce, most-n) {
				open = append(open, t.episodeIn(p, fmt.Sprintf("files/%d", from+n+k), from+n+k))
			}
			for k, e := range open {
				if k%4 == 0 {
					e.reopen()
				}
				_, err := e.tryPlay(probedSteps)
				t.need(err, "Step")
				_, err = environmentOf(p).Close(t.call(), &awhostv1.CloseRequest{EpisodeId: e.id,
					InstanceId: e.opened.GetInstanceId(), Reason: closeReasons[k%len(closeReasons)]})
				t.need(err, "Close")
			}
		}
	})
}

func checkRewardFiles(t *T) {
	known := t.items()
	t.checkLeftovers("item", func(p *client.Plugin, from, most int) {
		for n := range most {
			i := proto.Clone(known[n%len(known)].ScoreItem).(*awhostv1.ScoreItem)
			i.EpisodeId = fmt.Sprintf("conformance/files/%d", from+n)
			_, err := rewardOf(p).Score(t.call(), &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{i}})
			t.need(err, "Score")
		}
	})
}
