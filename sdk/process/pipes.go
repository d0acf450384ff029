package process

import "os"

// pipe has one end for the child and one for the owner. Files, not writers: exec.Cmd then copies nothing, and Wait
// returns when the child exits, whoever still holds the other end.
type pipe struct{ child, own *os.File }

type pipes struct{ stdin, stdout, stderr pipe }

func newPipes() (*pipes, error) {
	var p pipes
	var err error
	if p.stdin.child, p.stdin.own, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.stdout.own, p.stdout.child, err = os.Pipe(); err != nil {
		p.closeChildEnds()
		p.closeOwnEnds()
		return nil, err
	}
	if p.stderr.own, p.stderr.child, err = os.Pipe(); err != nil {
		p.closeChildEnds()
		p.closeOwnEnds()
		return nil, err
	}
	return &p, nil
}

func (p *pipes) closeChildEnds() { closeAll(p.stdin.child, p.stdout.child, p.stderr.child) }
func (p *pipes) closeOwnEnds()   { closeAll(p.stdin.own, p.stdout.own, p.stderr.own) }

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // an end of a pipe has nothing to lose
		}
	}
}
