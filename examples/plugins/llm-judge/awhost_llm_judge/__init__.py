"""A reward plugin for awhost: a language model judges answers by a rubric.

judge.py     the reward: settings, calls, numbers
verdict.py   what the model is asked, and how its answer is read; knows neither awhost nor HTTP
"""


def main() -> None:
    """Serves the plugin: what `awhost-llm-judge` runs."""
    import awhost

    from .judge import Judge

    awhost.serve("judge", "1.0.0", Judge)
