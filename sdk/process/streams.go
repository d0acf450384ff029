package process

import (
	"io"
	"os"
)

// pipes holds both ends of all connections between a process and its host. All of them are plain files, so that no data
// is copied and the end of the process can be detected even while a grandchild still holds them.
type pipes struct {
	stdin, stdout, stderr *os.File // the child's
	// lifeline is the host's end of stdin, which is never written and is closed when the host exits; it is nil if stdin
	// belongs to the caller.
	lifeline      *os.File
	callerStreams bool     // stdin and stdout are the caller's
	sources       []source // the host's ends of the output streams
}

// source is an output stream that the host reads.
type source struct {
	name   string
	reader io.ReadCloser
}

func (s *pipes) closeChildEnds() {
	if s.callerStreams {
		closeFiles(s.stderr)
		return
	}
	closeFiles(s.stdin, s.stdout, s.stderr)
}

func (s *pipes) closeOwnEnds() {
	closeFiles(s.lifeline)
	for _, src := range s.sources {
		src.reader.Close()
	}
}

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// openStreams creates the lifeline and the output streams and opens the log file.
func (p *Process) openStreams() (_ *pipes, err error) {
	s := &pipes{}
	defer func() {
		if err != nil {
			s.closeChildEnds()
			s.closeOwnEnds()
		}
	}()
	if p.config.Stdin != nil {
		s.stdin, s.stdout, s.callerStreams = p.config.Stdin, p.config.Stdout, true
	} else if s.stdin, s.lifeline, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.config.Detachable {
		return s, s.openLogFile(p.config.LogFile, p.done)
	}
	if p.config.LogFile != "" {
		file, err := openLog(p.config.LogFile)
		if err != nil {
			return nil, err
		}
		p.output.open(file)
		if info, err := file.Stat(); err == nil {
			p.output.addExistingSize(info.Size())
		}
	}
	if !s.callerStreams {
		if err = s.openPipe(Stdout, &s.stdout); err != nil {
			return nil, err
		}
	}
	return s, s.openPipe(streamStderr, &s.stderr)
}

func (s *pipes) openPipe(name string, child **os.File) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	*child = w
	s.sources = append(s.sources, source{name, r})
	return nil
}

// openLogFile connects a detachable process to its log file, which, unlike a pipe, survives the host.
func (s *pipes) openLogFile(path string, ended <-chan struct{}) error {
	f, err := openLog(path)
	if err != nil {
		return err
	}
	s.stdout, s.stderr = f, f
	follower, err := follow(path, ended)
	if err != nil {
		return err
	}
	s.sources = append(s.sources, source{streamBoth, follower})
	return nil
}

// read starts the readers.
func (p *Process) read(s *pipes) {
	for _, src := range s.sources {
		p.streams = append(p.streams, src.reader)
		p.readers.Go(func() { p.readStream(src) })
	}
}

func (p *Process) readStream(src source) {
	mayHaveHandshake := src.name != streamStderr
	readLines(src.reader, func(piece piece) {
		if mayHaveHandshake && !piece.continues && p.handshake.parseLine(piece.text()) {
			return
		}
		p.output.receive(src.name, piece)
	}, p.output.flush)
	if src.name == Stdout {
		p.handshake.fail(ErrNotAPlugin) // standard output has ended
	}
}

func (p *Process) closeStreams() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.streams {
		s.Close()
	}
	p.streams = nil
}
