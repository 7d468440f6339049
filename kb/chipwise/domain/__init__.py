"""The field as data: its entities, metrics, units and terms, read from files and found in text.

    files       reads corpus/domain/*.toml and a base's own domain/, checks them, and names file and line of an error
    records     one plain class for each table; schemas and tables say what a row may hold
    model       `Domain`: all of it in one value, which an index keeps with itself
    names       the part that a look-up needs, without the wording of sentences
    phrasebook  the longest known name at each place of a text

Nothing here knows a figure: what a chip can do is a fact or a claim. To add a chip, a metric or an axis, add a row.
"""
