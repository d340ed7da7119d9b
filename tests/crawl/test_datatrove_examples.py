"""The example of the documentation: it runs locally, and on a Slurm played by three scripts."""

import os
import subprocess
import sys

import pytest

from victor.crawl import CrawlSpec, Job, crawl, expand

SBATCH = """#!/bin/sh
# sbatch: the last argument is the script; the tasks of an array run one after the other
for script; do :; done
grep -q merge_stats "$script" && exec echo "Submitted batch job 2"
export SLURM_JOB_ID=1 SLURM_NODELIST=localhost SLURM_ARRAY_TASK_ID
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
for SLURM_ARRAY_TASK_ID in $(seq 0 "$last"); do bash "$script" >> "$SLURM_LOG" 2>&1; done
echo "Submitted batch job 1"
"""
SRUN = """#!/bin/sh
# srun: what follows its own options -l and -n 1
shift 3
exec "$@"
"""
SCONTROL = """#!/bin/sh
# scontrol show hostnames NODES
echo "$3"
"""


@pytest.fixture(scope="module")
def texts(crawled_folder, small_model_file, tmp_path_factory):
    """Where `victor crawl` wrote the same pages."""
    out = tmp_path_factory.mktemp("victor")
    crawl(Job(expand([str(crawled_folder)]), out, CrawlSpec(model=str(small_model_file))))
    return out


@pytest.fixture
def text_of(lines):
    return lambda folder: {name: row["text"] for name, row in lines(folder).items()}


@pytest.fixture
def executor(example, crawled_folder, small_model_file, tmp_path):
    """Function: options to what the example runs."""

    def build(name, *options):
        words = [name, crawled_folder, "--out", tmp_path, "--model", small_model_file, *options]
        return example.executor(example.parsed([*map(str, words)]))

    return build


@pytest.mark.slow
def test_local(executor, texts, text_of, tmp_path):
    executor("local", "--tasks", 2).run()
    assert text_of(tmp_path / "texts") == text_of(texts)


@pytest.mark.slow
def test_slurm(crawled_folder, small_model_file, texts, text_of, example, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, program in (("sbatch", SBATCH), ("srun", SRUN), ("scontrol", SCONTROL)):
        (programs / name).write_text(program)
        (programs / name).chmod(0o755)
    path = os.pathsep.join((str(programs), os.path.dirname(sys.executable), os.environ["PATH"]))
    log = tmp_path / "slurm.log"
    command = [sys.executable, "-P", example.__file__, "slurm", crawled_folder,
               "--out", tmp_path / "out", "--tasks", 2, "--partition", "any", "--time", "1:00:00",
               "--model", small_model_file]  # fmt: skip
    environment = {**os.environ, "PATH": path, "SLURM_LOG": str(log)}
    done = subprocess.run([*map(str, command)], env=environment, stderr=-1, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert text_of(tmp_path / "out" / "texts") == text_of(texts), log.read_text()
    assert sorted(p.name for p in (tmp_path / "out/logs/completions").iterdir()) == [
        "00000", "00001",
    ]  # fmt: skip


def test_ray_is_set_up(executor):
    ray = executor("ray", "--tasks", 2)
    assert type(ray).__name__ == "RayPipelineExecutor"
    assert ray.world_size == 2
    assert ray.get_incomplete_ranks() == [0, 1]
    assert len(ray.pipeline) == 3


@pytest.mark.parametrize("arguments", [["ray"], ["slurm", "--tasks", "2"]])
def test_a_cluster_needs_its_options(executor, arguments, capsys):
    with pytest.raises(SystemExit):
        executor(*arguments)
    assert "required" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["local", "ray", "slurm"])
def test_the_whole_configuration_holds(name, executor, tmp_path):
    config = tmp_path / "my.yaml"
    config.write_text("filter: {least_words: 9}\nlimits: {bytes: 99}\ndecide: {threshold: 0.3}\n")
    slurm = ("--partition", "any", "--time", "1:00:00") if name == "slurm" else ()
    reader, step, _ = executor(name, "--tasks", 1, "--config", config, *slurm).pipeline
    assert (step.spec.filter.least_words, step.spec.decision.threshold) == (9, 0.3)
    assert step.spec.limits.bytes == reader.reading.max_bytes == 99
