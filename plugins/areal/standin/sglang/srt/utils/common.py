def suppress_noisy_warnings() -> None:
    """There are none."""
