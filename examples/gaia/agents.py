"""An agent that says nothing: in the place of a member of a swarm it shows what the other can do alone."""


def mute():
    return ""
