"""``python -m zerosum`` is the command ``zerosum``."""

from zerosum.cli.main import run

if __name__ == "__main__":
    run()
