"""Where the programs of episodes connect to: for the message of an episode that never asks the policy."""

import contextvars
import os
import sys
import threading

MOST = 8  # places of one episode

current = contextvars.ContextVar("awhost_contacts", default=None)
_looked_up, _lock, _installed = {}, threading.Lock(), False  # when a host and port were last looked up by nobody known
_count = 0


class Contacts:
    """What one episode has connected to, as far as its own Python did it: what its child processes do is unknown, and
    names are looked up on threads that belong to no episode."""

    def __init__(self, gateway):
        self.gateway, self.places, self.ports, self.reached = gateway, [], set(), False
        self.since = _count

    def record(self, host, port):
        if (host, port) == self.gateway:
            self.reached = True
            return
        place = address_text(host, port)
        if place not in self.places and len(self.places) < MOST:
            self.places.append(place)

    def names(self):
        """What was looked up since it began, by whomever."""
        with _lock:
            return [name for name, when in _looked_up.items() if when > self.since and name != self.gateway]

    def described(self):
        """The places, best known first, with what the environment says of them."""
        places = [address_text(host, port) for host, port in self.names()] + self.places
        return [place + configured_by(place) for place in list(dict.fromkeys(places))[:MOST]]


def address_text(host, port):
    name = "[%s]" % host if ":" in host else host
    if port == 443:
        return "https://" + name
    return "http://" + name + ("" if port == 80 else ":%d" % port)


def configured_by(place):
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL"):
        value = os.environ.get(name) or ""
        if place.split("://")[1] == value.split("://")[-1].split("/")[0]:
            return " (%s of its environment)" % name
    return ""


def hook(event, args):
    if event not in ("socket.connect", "socket.getaddrinfo"):
        return
    try:
        note(event, args)
    except Exception:
        pass  # an audit hook that raises would stop the call


def note(event, args):
    global _count
    contacts, address = current.get(), args[:2] if event == "socket.getaddrinfo" else args[1]
    if not isinstance(address, tuple):
        return  # of a socket that is none of the internet
    host, port = text(address[0]), number(address[1])
    if host is None or port is None:
        return
    if contacts is None and event == "socket.getaddrinfo":
        with _lock:
            if len(_looked_up) < 1000 or (host, port) in _looked_up:
                _count += 1
                _looked_up[host, port] = _count
    elif contacts is not None and event == "socket.getaddrinfo":
        contacts.record(host, port)
        contacts.ports.add(port)
    elif contacts is not None and ((host, port) == contacts.gateway or not has_known_name(contacts, port)):
        contacts.record(host, port)


def has_known_name(contacts, port):
    """Whether the address of a connection has a name: one was looked up with its port."""
    return port in contacts.ports or any(p == port for _, p in contacts.names())


def text(host):
    return host.decode("utf-8", "replace") if isinstance(host, bytes) else host if isinstance(host, str) else None


def number(port):
    try:
        return int(port)
    except (TypeError, ValueError):
        return {"https": 443, "http": 80}.get(text(port))


def install():
    global _installed
    if not _installed:
        _installed = True
        sys.addaudithook(hook)
