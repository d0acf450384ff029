package view

import "github.com/awhost/awhost/host/view/text"

// mostPoints bounds what a curve remembers of a long run; no screen is wider.
const mostPoints = 2048

// series is a curve of bounded size: once it is full, neighbours are merged and each point stands for more steps.
type series struct {
	points []text.Point
	share  int        // how many values a point stands for
	open   text.Point // sum of the values of the point that is not complete
	count  int        // how many those are
}

func (s *series) add(x, y float64) {
	if len(s.points) > 0 && s.count == 0 && x <= s.points[len(s.points)-1].X {
		return // told twice, after a resume
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
