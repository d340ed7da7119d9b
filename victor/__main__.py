"""`python -m victor`: the command line where its script is not on the path."""

from victor.cli import main

if __name__ == "__main__":
    main()
