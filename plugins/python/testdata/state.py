"""A reward for the conformance suite."""


def opened(environment_state):
    return 1.0 if environment_state["open"] else 0.0
