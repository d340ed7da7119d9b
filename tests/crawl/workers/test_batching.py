"""How records are cut into batches, and put in order again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.crawl.workers.batching import Cursor, ReadItem, batches
from victor.crawl.workers.pool import map_in_order
from victor.documents.outcome import Outcome
from victor.errors import ConfigError
from victor.model.extractor import BATCH_BYTES
from victor.sources.record import Record

SIZES = st.lists(st.sampled_from([0, 10, BATCH_BYTES // 3, BATCH_BYTES, 2 * BATCH_BYTES]))


def items_of(sizes):
    body = bytes(2 * BATCH_BYTES)
    return [
        ReadItem(Cursor(0, n + 1), Record("in", n, body[:size])) for n, size in enumerate(sizes)
    ]


@settings(derandomize=True, deadline=None, max_examples=50)
@given(SIZES)
def test_batches_keep_order_and_are_not_too_large(sizes):
    cut = [*batches(iter(items_of(sizes)))]
    numbers = [item.number for batch in cut for item in batch.items]
    assert numbers == [*range(len(sizes))]
    for batch in cut:
        assert len(batch.items) == 1 or sum(len(i.body) for i in batch.items) <= BATCH_BYTES
        assert batch.start == Cursor(0, batch.items[0].number)
        assert batch.after == Cursor(0, batch.items[-1].number + 1)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(SIZES)
def test_a_run_that_goes_on_with_a_batch_has_the_same_batches(sizes):
    items = items_of(sizes)
    whole = [*batches(iter(items))]
    for number, batch in enumerate(whole):
        assert [*batches(iter(items[batch.start.number :]))] == whole[number:]


class Echo:
    """A supervisor that gives outcomes at once; those of some records only after others."""

    def __init__(self, fails_at=None):
        self.fails_at = fails_at
        self.closed = self.aborted = False

    def begin(self, records):
        self.records = records

    def finish(self):
        if self.records[0].number == self.fails_at:
            raise ConfigError("broken")
        return [Outcome(each.source, each.number, "written", "ok") for each in self.records]

    def abort(self):
        self.aborted = True

    def close(self):
        self.closed = True


def test_threads_give_all_batches_in_order_and_close_their_workers():
    supervisors = [Echo(), Echo(), Echo()]
    results = [*map_in_order(batches(iter(items_of([BATCH_BYTES] * 50))), supervisors)]
    assert [done.outcomes[0].number for done in results] == [*range(50)]
    assert all(each.closed for each in supervisors)


def test_an_error_of_a_thread_ends_all():
    supervisors = [Echo(fails_at=5), Echo(fails_at=5)]
    with pytest.raises(ConfigError, match="broken"):
        [*map_in_order(batches(iter(items_of([BATCH_BYTES] * 50))), supervisors)]
    assert all(each.closed and each.aborted for each in supervisors)


def test_an_error_of_the_reader_ends_all():
    def torn():
        yield from items_of([BATCH_BYTES] * 3)
        raise ConfigError("no package")

    with pytest.raises(ConfigError, match="no package"):
        [*map_in_order(batches(torn()), [Echo()])]


def test_leaving_early_ends_the_threads():
    supervisors = [Echo(), Echo()]
    results = map_in_order(batches(iter(items_of([BATCH_BYTES] * 100))), supervisors)
    next(results)
    results.close()
    assert all(each.closed for each in supervisors)
