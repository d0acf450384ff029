"""What both clients are held to. They take whatever comes without looking: their models have to be asked."""

import sys


def conform(value):
    """Holds a value to its own type, with all that is in it."""
    type(value).model_validate(value.model_dump(warnings="none", by_alias=True), strict=True)
    return value


def raises(kind, ask):
    try:
        answer = ask()
    except kind as error:
        return error
    sys.exit(f"{kind.__name__} is not raised: {answer}")
