"""The promises of the interface as checks, run by ``games.kit.conformance``."""
