package testlevel

import "os"

// runner is a testing.M.
type runner interface{ Run() int }

// InMemory returns the tests in a package, for TestMain, with their temporary directories in memory if there is enough
// space. Creating thousands of short-lived files on disk takes a third of the tests' time. With AWHOST_SLOW, or if
// TMPDIR is set, the directories stay on disk.
func InMemory(m runner) runner {
	if Slow() || os.Getenv("TMPDIR") != "" || !memoryFits() {
		return m
	}
	apart, err := within(m, memory)
	if err != nil {
		return m
	}
	return apart
}

// Apart returns the tests in a package, for TestMain, with their temporary directories in a single directory that is
// removed at the end, together with anything left by programs that they start.
func Apart(m runner) runner {
	apart, err := within(m, "")
	if err != nil {
		panic(err)
	}
	return apart
}

func within(m runner, parent string) (runner, error) {
	dir, err := os.MkdirTemp(parent, "aw") // short, because unix socket paths are limited
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"TMPDIR", "GOTMPDIR"} {
		if err := os.Setenv(name, dir); err != nil {
			panic(err)
		}
	}
	return apart{m, dir}, nil
}

// apart removes the directory when the tests have finished.
type apart struct {
	runner
	dir string
}

func (a apart) Run() int {
	defer os.RemoveAll(a.dir)
	return a.runner.Run()
}
