"""The field as data: its entities, metrics, units and terms, read from files and found in text.

    files       reads corpus/domain/*.toml and a base's own domain/, checks them, reports file and line of an error
    records     one plain class per table; columns say what a row may hold, catalogue which tables there are
    model       `Domain`: everything in one value, stored with the index
    names       the part that look-ups need, without the wording of sentences
    phrasebook  finds the longest known name at each place of a text

No figure is stored here: what a chip can do is a fact or a claim. To add a chip, a metric or an axis, add a row.
"""
