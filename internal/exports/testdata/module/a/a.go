// Package a declares names of each kind.
package a

// Used returns a Shown. It is called by b.
func Used(Shape) *Shown { return nil }

// Shown is the result type of Used.
type Shown struct{ Field Inner }

// Inner is the type of a field of Shown.
type Inner int

// First and Second are values of Inner.
const (
	First Inner = iota
	Second
)

// Shape is an interface that Used exposes to b.
type Shape interface{ Sides() int }

// Square is a Shape.
type Square struct{}

// Sides implements Shape.
func (Square) Sides() int { return 4 }

// One is used by b, which exposes Two as well.
const (
	One = 1
	Two = 2
)

// Alone returns Lonely. Only this package calls it.
func Alone() int { return Lonely }

// Lonely is used by Alone.
const Lonely = 3

// Forgotten is not used.
type Forgotten struct{}

// Tested calls Alone. Only the tests of this package call it.
func Tested() int { return Alone() }

// ForTests does nothing. The tests of b call it.
func ForTests() {}

// ErrNone is an error that no caller checks.
var ErrNone error
