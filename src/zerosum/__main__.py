"""``python -m zerosum`` is the command ``zerosum``."""

from zerosum.cli.main import main

if __name__ == "__main__":
    main()
