// Package multiplex carries many calls over one stream; see CallService in calls.proto.
//
// Conn is the caller's side and is used like any other connection. Server is the responding side, which runs alongside
// a gRPC server. Neither depends on the content of the calls.
package multiplex

import (
	"errors"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	// maxCallBytes limits the size of a request that shares the stream; a larger request is sent as an ordinary call.
	maxCallBytes = 256 << 10
	// batchBytes is the target size of one message in the stream. A single call or result may be larger.
	batchBytes = 256 << 10
	// callBytes is an upper bound on a call's overhead in addition to its message and method name.
	callBytes = 128
)

// maxResponseBytes is the size of the largest response that does not break the stream, because peers with older
// versions may send that much.
const maxResponseBytes = 256 << 20

// OverheadBytes is an upper bound on the stream's overhead per message, by which a server's send limit must be
// increased.
const OverheadBytes = 1 << 10

// outbox sends its items. Items that are added while a message is being sent are sent together in the next message.
type outbox[T any] struct {
	size func(T) int
	send func([]T) error // sends one message, with about batchBytes

	mu      sync.Mutex
	items   []T
	spare   []T
	sending bool
	broken  bool
	more    chan struct{} // deliver has work
}

func newOutbox[T any](size func(T) int, send func([]T) error) *outbox[T] {
	return &outbox[T]{size: size, send: send, more: make(chan struct{}, 1)}
}

// put adds an item for deliver to send.
func (o *outbox[T]) put(item T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.enqueueLocked(item)
}

// putNow adds an item and sends all items, which avoids waking deliver's goroutine. It may wait for the peer. If alone
// is true, it sends only if the item is the only one, and otherwise leaves it to deliver.
func (o *outbox[T]) putNow(item T, alone bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sending || o.broken || alone && len(o.items) > 0 {
		o.enqueueLocked(item)
		return
	}
	o.items = append(o.items, item)
	o.flush()
}

// enqueueLocked adds an item. A sender that is already running picks it up; otherwise, deliver must be woken.
func (o *outbox[T]) enqueueLocked(item T) {
	if o.broken {
		return
	}
	o.items = append(o.items, item)
	if !o.sending {
		o.wakeDeliver()
	}
}

func (o *outbox[T]) wakeDeliver() {
	select {
	case o.more <- struct{}{}:
	default:
	}
}

// deliver sends the items that were left to it until done is closed, and then sends the rest.
func (o *outbox[T]) deliver(done <-chan struct{}) {
	for over := false; !over; {
		select {
		case <-o.more:
		case <-done:
			over = true
		}
		o.mu.Lock()
		o.flush()
		o.mu.Unlock()
	}
}

// flush sends all items unless another goroutine is already sending. Items added in the meantime are left to deliver.
// The caller holds the lock, which is released while sending.
func (o *outbox[T]) flush() {
	if o.sending || o.broken || len(o.items) == 0 {
		return
	}
	items := o.items
	o.items, o.sending = o.spare[:0], true
	o.mu.Unlock()
	err := o.batches(items)
	clear(items)
	o.mu.Lock()
	o.spare, o.sending, o.broken = items, false, err != nil
	if len(o.items) > 0 {
		o.wakeDeliver()
	}
}

// batches sends items in batches of about batchBytes.
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

// change calls a function that modifies the items that have not been sent.
func (o *outbox[T]) change(f func([]T) []T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.items = f(o.items)
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
	return nil, status.Errorf(codes.Internal, "%T is not a message", v)
}

// statusToWire converts a status; OK becomes nil. Its message may be arbitrary, as in an ordinary status.
func statusToWire(s *status.Status) *awhostv1.CallStatus {
	if s.Code() == codes.OK {
		return nil
	}
	p := s.Proto()
	return &awhostv1.CallStatus{Code: p.GetCode(), Message: strings.ToValidUTF8(p.GetMessage(), "\uFFFD"),
		Details: p.GetDetails()}
}

func errorFromWire(s *awhostv1.CallStatus) error {
	if s == nil {
		return nil
	}
	p := status.New(codes.Code(s.GetCode()), s.GetMessage()).Proto()
	p.Details = s.GetDetails()
	return status.FromProto(p).Err()
}

// errRefused reports that the peer does not have the service.
var errRefused = errors.New("the peer supports only ordinary calls")
