"""`python -m posterity`: the same as the command `posterity`."""

from posterity.cli.main import main

if __name__ == "__main__":
    main()
