"""The real server in a process of its own: it answers, it ends, and it may be killed."""

import random
import signal

import pytest
from annotate import killed_server as kills


@pytest.mark.slow
def test_no_acknowledged_save_is_lost_when_the_server_is_killed(tmp_path):
    rng = random.Random(1)
    page = kills.write_page(tmp_path)
    rounds = [kills.kill_while_saving(tmp_path / "a.sqlite", page, rng) for _ in range(3)]
    assert sum(one.acknowledged for one in rounds)


@pytest.mark.slow
def test_the_server_ends_when_interrupted(tmp_path):
    with kills.server(tmp_path / "a.sqlite", kills.write_page(tmp_path)) as (process, client):
        assert client.json("/api/session")["pages"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert not (tmp_path / "a.sqlite-wal").exists()


def test_a_port_that_is_taken_is_named():
    from victor.annotate.server import listen
    from victor.errors import ConfigError

    with listen("127.0.0.1", 0) as listener, pytest.raises(ConfigError, match="cannot listen"):
        listen("127.0.0.1", listener.getsockname()[1])
    for host in ("localhost", "", "300.1.1.1"):
        with pytest.raises(ConfigError, match="not an IP address"):
            listen(host, 0)
    for host in ("0.0.0.0", "::"):
        with pytest.raises(ConfigError, match="every address"):
            listen(host, 0)
