"""The command line: one module per command, loaded when the command is used.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 some pages
failed (counted by reason), 2 the call or a file it names is wrong.
"""

import sys


def main() -> None:
    """Run the command line; whatever is wrong with the call is one line, without a traceback."""
    if sys.argv[1:] == ["--version"]:  # nothing else has to load for it
        from victor import __version__

        sys.stdout.write(f"victor {__version__}\n")
        sys.exit()
    from victor.cli.program import run

    run()
