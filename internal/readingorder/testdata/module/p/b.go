package p

type list[T any] struct{ of []T }

func (l *list[T]) add(t T) { l.of = append(l.of, t) }

func later() {}
