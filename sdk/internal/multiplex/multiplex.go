// Package multiplex carries many unary calls over one stream: see CallService in calls.proto.
//
// Conn is the caller's side, a connection like any other; Server the answering side, beside a gRPC server. Neither knows
// what the calls are about.
package multiplex

import (
	"errors"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	// maxCallBytes bounds a request that shares the stream: a larger one is an ordinary call.
	maxCallBytes = 256 << 10
	// batchBytes is how much is gathered into one message of the stream. One call or result may be larger.
	batchBytes = 256 << 10
	// overheadBytes is more than what the stream adds to a message.
	overheadBytes = 1 << 10
)

// outbox sends what is put into it, one batch after the other. What comes while a batch is on its way goes together in the
// next one.
type outbox[T any] struct {
	size func(T) int
	send func([]T) error // one message, with about batchBytes

	mu      sync.Mutex
	items   []T
	spare   []T
	sending bool
	broken  bool
	more    chan struct{} // there are items that whoever put them there does not send
}

func newOutbox[T any](size func(T) int, send func([]T) error) *outbox[T] {
	return &outbox[T]{size: size, send: send, more: make(chan struct{}, 1)}
}

// put adds an item. With wait it may send, and wait until the peer takes it: it saves waking the goroutine of deliver.
func (o *outbox[T]) put(item T, wait bool) {
	o.mu.Lock()
	if o.broken {
		o.mu.Unlock()
		return
	}
	o.items = append(o.items, item)
	busy := o.sending
	o.mu.Unlock()
	switch {
	case busy: // by whoever does
	case wait:
		o.flush()
	default:
		select {
		case o.more <- struct{}{}:
		default:
		}
	}
}

// deliver sends what nobody else does, until done is closed.
func (o *outbox[T]) deliver(done <-chan struct{}) {
	for {
		select {
		case <-o.more:
			o.flush()
		case <-done:
			return
		}
	}
}

// flush sends all there is, unless somebody does already.
func (o *outbox[T]) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sending {
		return
	}
	o.sending = true
	defer func() { o.sending = false }()
	for len(o.items) > 0 && !o.broken {
		items := o.items
		o.items = o.spare[:0]
		o.mu.Unlock()
		err := o.batches(items)
		clear(items)
		o.mu.Lock()
		o.spare = items
		o.broken = err != nil
	}
}

// batches cuts items into pieces of about batchBytes.
func (o *outbox[T]) batches(items []T) error {
	for len(items) > 0 {
		n, bytes := 1, o.size(items[0])
		for n < len(items) && bytes+o.size(items[n]) <= batchBytes {
			bytes += o.size(items[n])
			n++
		}
		if err := o.send(items[:n]); err != nil {
			return err
		}
		items = items[n:]
	}
	return nil
}

// drop takes out what matches and has not been sent, and says whether anything did.
func (o *outbox[T]) drop(match func(T) bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	before := len(o.items)
	o.items = slices.DeleteFunc(o.items, match)
	return len(o.items) < before
}

func encode(message any) ([]byte, error) {
	m, err := messageOf(message)
	if err != nil {
		return nil, err
	}
	encoded, err := proto.Marshal(m)
	if err != nil {
		return nil, status.Errorf(codes.Internal, "encode the message: %v", err)
	}
	return encoded, nil
}

func decode(encoded []byte, into any) error {
	m, err := messageOf(into)
	if err != nil {
		return err
	}
	if err := proto.Unmarshal(encoded, m); err != nil {
		return status.Errorf(codes.Internal, "decode the message: %v", err)
	}
	return nil
}

func messageOf(v any) (proto.Message, error) {
	switch m := v.(type) {
	case proto.Message:
		return m, nil
	case protoadapt.MessageV1:
		return protoadapt.MessageV2Of(m), nil
	}
	return nil, status.Errorf(codes.Internal, "%T is no message", v)
}

// statusToWire is nil for OK.
func statusToWire(s *status.Status) *awhostv1.CallStatus {
	if s.Code() == codes.OK {
		return nil
	}
	p := s.Proto()
	return &awhostv1.CallStatus{Code: p.GetCode(), Message: p.GetMessage(), Details: p.GetDetails()}
}

func errorFromWire(s *awhostv1.CallStatus) error {
	if s == nil {
		return nil
	}
	p := status.New(codes.Code(s.GetCode()), s.GetMessage()).Proto()
	p.Details = s.GetDetails()
	return status.FromProto(p).Err()
}

// errRefused: the peer does not have the service.
var errRefused = errors.New("the peer answers ordinary calls only")
