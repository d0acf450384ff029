package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/awhost/awhost/bench/internal/program"
	"github.com/awhost/awhost/sdk"
)

// lines returns a question and an answer with the same lengths as frames.
func lines() (question, reply []byte, err error) {
	if question, err = sdk.MarshalWire(request("main/train/s00001/g000001", answer.Chain, 3)); err != nil {
		return nil, nil, err
	}
	if reply, err = sdk.MarshalWire(answer); err != nil {
		return nil, nil, err
	}
	const frame = `{"type":"generated","seq":1234567,"episode_id":"main/train/s00001/g000001","call_id":"main/train/s00001/g000001/1/3","body":}` + "\n"
	pad := func(body []byte, more string) []byte {
		return append(bytes.Repeat([]byte("x"), len(body)+len(more)-1), '\n')
	}
	return pad(question, `{"type":"generate","seq":1234567,"body":}`+"\n"), pad(reply, frame), nil
}

// measureEcho sends as many lines as the bridge sends calls, at the same concurrency, and waits for the responses.
func measureEcho(ctx context.Context, o options, concurrency int) (_ measured, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return measured{}, err
	}
	defer listener.Close()
	cmd, err := program.Self(ctx, "-echo", listener.Addr().String())
	if err != nil {
		return measured{}, err
	}
	if err := cmd.Start(); err != nil {
		return measured{}, err
	}
	defer func() { err = errors.Join(err, cmd.Wait()) }()
	conn, err := listener.Accept()
	if err != nil {
		return measured{}, err
	}
	defer conn.Close()
	question, _, err := lines()
	if err != nil {
		return measured{}, err
	}
	if err := exchange(conn, question, concurrency, concurrency); err != nil { // warm-up
		return measured{}, err
	}
	watch := startWatch(cmd.Process.Pid)
	if err := exchange(conn, question, o.turns, concurrency); err != nil {
		return measured{}, err
	}
	return watch.stop(o.turns, 2*o.turns), nil
}

// exchange keeps a fixed number of lines in flight. As on the bridge, lines that become due during a write are sent
// together.
func exchange(conn net.Conn, question []byte, turns, concurrency int) error {
	free := make(chan struct{}, concurrency)
	for range concurrency {
		free <- struct{}{}
	}
	var reading sync.WaitGroup
	var readErr error
	reading.Go(func() {
		in := bufio.NewReaderSize(conn, 64<<10)
		for range turns {
			if _, readErr = in.ReadSlice('\n'); readErr != nil {
				conn.Close()
				return
			}
			free <- struct{}{}
		}
	})
	var batch []byte
	for sent := 0; sent < turns; {
		<-free
		batch = append(batch[:0], question...)
		for sent++; sent < turns && len(batch) < 256<<10 && len(free) > 0; sent++ {
			<-free
			batch = append(batch, question...)
		}
		if _, err := conn.Write(batch); err != nil {
			return err
		}
	}
	reading.Wait()
	return readErr
}

// answerLines answers each line with another line.
func answerLines(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return fmt.Errorf("echo: %w", err)
	}
	defer conn.Close()
	_, reply, err := lines()
	if err != nil {
		return err
	}
	in, out := bufio.NewReaderSize(conn, 64<<10), bufio.NewWriterSize(conn, 256<<10)
	for {
		if _, err := in.ReadSlice('\n'); err != nil {
			return nil // end of the connection
		}
		if _, err := out.Write(reply); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}
