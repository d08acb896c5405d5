"""What goes wrong, as one sentence."""


class Error(Exception):
    """A fault in a sentence; `status` is the program's exit status, 2 for a user's fault, None if no program ran."""

    def __init__(self, sentence, status=None):
        super().__init__(sentence)
        self.status = status


def optional(module, package):
    """The module, or an Error that says which Debian package has it."""
    try:
        return __import__(module)
    except ImportError:
        raise Error(f"{module} is not here, which this needs; install it (Debian: {package})") from None
