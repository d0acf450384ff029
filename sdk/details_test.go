package sdk

import (
	"encoding/base64"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

var (
	trailer = regexp.MustCompile(`(?m)^grpc-status: (\d+)\ngrpc-message: (.*)\ngrpc-status-details-bin: (\S+)\n\n((?:.+\n)+)`)
	// annotated is a line of the bytes below a trailer: hexadecimal digits, then literal text.
	annotated = regexp.MustCompile(`^\s*((?:[0-9a-f]{2} ?)+)(?:"([^"]*)")?`)
)

// The page for authors of plugins without an SDK contains the bytes of a Failure and of a SessionLost. They must
// decode like a peer's, and the annotated bytes below them must be equal.
func TestStatusDetails_DocumentedExamples(t *testing.T) {
	page, err := os.ReadFile("proto/awhost/v1/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []error
	for _, found := range trailer.FindAllStringSubmatch(string(page), -1) {
		encoded, err := base64.RawStdEncoding.DecodeString(found[3])
		if err != nil {
			t.Fatalf("%s: %v", found[3], err)
		}
		if shown := written(t, found[4]); !slices.Equal(encoded, shown) {
			t.Errorf("the annotated bytes differ from the trailer:\n% x\n% x", shown, encoded)
		}
		var s awhostv1.CallStatus // the same fields
		if err := proto.Unmarshal(encoded, &s); err != nil {
			t.Fatalf("%s: %v", found[3], err)
		}
		if strconv.Itoa(int(s.GetCode())) != found[1] || s.GetMessage() != found[2] {
			t.Errorf("the trailer has %s %q, its details %d %q", found[1], found[2], s.GetCode(), s.GetMessage())
		}
		got = append(got, errorFromStatus(received(t, &s)))
	}
	if len(got) != 2 {
		t.Fatalf("the page has %d examples of details, not 2", len(got))
	}
	var failure *Failure
	if !errors.As(got[0], &failure) || *failure != (Failure{Class: FailureEnvironment, Detail: "the database is down",
		Retryable: true}) {
		t.Errorf("the first is decoded as %#v", got[0])
	}
	if !errors.Is(got[1], ErrSessionLost) {
		t.Errorf("the second is decoded as %v", got[1])
	}
}

// received converts a status to the error that gRPC returns to a caller.
func received(t *testing.T, s *awhostv1.CallStatus) error {
	t.Helper()
	var details []protoadapt.MessageV1
	for _, packed := range s.GetDetails() {
		detail, err := packed.UnmarshalNew()
		if err != nil {
			t.Fatal(err)
		}
		details = append(details, protoadapt.MessageV1Of(detail))
	}
	out, err := status.New(codes.Code(s.GetCode()), s.GetMessage()).WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	return out.Err()
}

// written returns the bytes of annotated lines.
func written(t *testing.T, lines string) []byte {
	t.Helper()
	var out []byte
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, "```") {
			break
		}
		found := annotated.FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("a line without bytes: %s", line)
		}
		for hex := range strings.FieldsSeq(found[1]) {
			b, err := strconv.ParseUint(hex, 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, byte(b))
		}
		out = append(out, found[2]...)
	}
	return out
}
