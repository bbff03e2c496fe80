"""Networks as files: what one holds, where they lie, how they are made, checked and played.

A file holds one or several named functions as ONNX models (``container.py``), each with the network's card
(``card.py``). ``store.py`` knows the file's name and the folders of those that ship. ``export.py`` makes a
file from torch; ``evaluator.py`` plays it without; ``foreign.py`` plays it at an invisible game's open twin.
"""
