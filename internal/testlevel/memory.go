package testlevel

import "os"

// runner is a testing.M.
type runner interface{ Run() int }

// InMemory returns the tests of a package, for TestMain, with their temporary folders in memory where the system has room for
// them: what a disk does for thousands of files that live for a second costs a third of the tests' time. With AWHOST_SLOW,
// or where TMPDIR names a folder, they stay there.
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

// Apart returns the tests of a package, for TestMain, with their temporary folders in one that ends with them: so does
// what programs that they start leave behind.
func Apart(m runner) runner {
	apart, err := within(m, "")
	if err != nil {
		panic(err)
	}
	return apart
}

func within(m runner, parent string) (runner, error) {
	dir, err := os.MkdirTemp(parent, "aw") // short, because paths of unix sockets are
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

// apart removes the folder when the tests are through.
type apart struct {
	runner
	dir string
}

func (a apart) Run() int {
	defer os.RemoveAll(a.dir)
	return a.runner.Run()
}
