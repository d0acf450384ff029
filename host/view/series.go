package view

import "github.com/awhost/awhost/host/view/text"

// mostPoints bounds the size of a curve. No screen is wider.
const mostPoints = 2048

// series is a curve of bounded size. Once it is full, adjacent points are merged, so that each point covers more
// steps.
type series struct {
	points []text.Point
	share  int        // number of values per point
	open   text.Point // sum of the values of the incomplete point
	count  int        // number of values in open
}

func (s *series) add(x, y float64) {
	if len(s.points) > 0 && s.count == 0 && x <= s.points[len(s.points)-1].X {
		return // reported again after a resume
	}
	s.share = max(1, s.share)
	s.open.X += x
	s.open.Y += y
	s.count++
	if s.count < s.share {
		return
	}
	s.points = append(s.points, text.Point{X: s.open.X / float64(s.count), Y: s.open.Y / float64(s.count)})
	s.open, s.count = text.Point{}, 0
	if len(s.points) >= mostPoints {
		s.halve()
	}
}

func (s *series) halve() {
	merged := s.points[:0]
	for i := 0; i+1 < len(s.points); i += 2 {
		a, b := s.points[i], s.points[i+1]
		merged = append(merged, text.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2})
	}
	s.points = merged
	s.share *= 2
}

func (s *series) values() []float64 {
	values := make([]float64, len(s.points))
	for i, p := range s.points {
		values[i] = p.Y
	}
	return values
}
