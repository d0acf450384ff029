package runstore

const timeParts = 6

// TimeParts returns the names of the parts of an episode's time, in the order in which an episode goes through them.
func TimeParts() [timeParts]string {
	return [...]string{"queue", "model", "tool", "reward", "siblings", "host"}
}

// Millis returns the times for TimeParts.
func (t Timings) Millis() [timeParts]float64 {
	return [...]float64{
		t.QueueMillis, t.ModelMillis, t.EnvironmentMillis, t.RewardMillis, t.SiblingsMillis, t.HostMillis,
	}
}
