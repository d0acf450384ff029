package runstore

// TimeParts are the names of the parts of an episode's time, in the order in which an episode begins with them.
func TimeParts() [6]string {
	return [...]string{"queue", "model", "tool", "reward", "siblings", "host"}
}

// Millis are the times of TimeParts.
func (t Timings) Millis() [6]float64 {
	return [...]float64{
		t.QueueMillis, t.ModelMillis, t.EnvironmentMillis, t.RewardMillis, t.SiblingsMillis, t.HostMillis,
	}
}
