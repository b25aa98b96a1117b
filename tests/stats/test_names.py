import inspect

import judgekit.stats


def test_public_names_are_sorted_and_documented() -> None:
    """What the room offers is listed once, in order, and explains itself."""
    names = list(judgekit.stats.__all__)
    values = [getattr(judgekit.stats, name) for name in names]

    assert names == sorted(set(names))
    assert all(v.__doc__ for v in values if inspect.isfunction(v) or inspect.isclass(v))
