"""The examples of the documentation: the local one runs, Slurm is played by three scripts."""

import os
import subprocess
import sys

import pytest

from victor.crawl.documents.cleaner_spec import System
from victor.crawl.run.run import Job, crawl
from victor.sources import expand

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
    crawl(Job(expand([str(crawled_folder)]), out, System(model=str(small_model_file))))
    return out


@pytest.fixture
def text_of(lines):
    return lambda folder: {name: row["text"] for name, row in lines(folder).items()}


def test_local(example, crawled_folder, small_model_file, texts, text_of, tmp_path):
    local = example("datatrove_local")
    words = [crawled_folder, "--out", tmp_path, "--tasks", "2", "--model", small_model_file]
    local.executor(local.parsed([*map(str, words)])).run()
    assert text_of(tmp_path / "texts") == text_of(texts)


def test_slurm(crawled_folder, small_model_file, texts, text_of, example, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, program in (("sbatch", SBATCH), ("srun", SRUN), ("scontrol", SCONTROL)):
        (programs / name).write_text(program)
        (programs / name).chmod(0o755)
    path = os.pathsep.join((str(programs), os.path.dirname(sys.executable), os.environ["PATH"]))
    log = tmp_path / "slurm.log"
    command = [sys.executable, "-P", example("datatrove_slurm").__file__, crawled_folder, "--out",
               tmp_path / "out", "--tasks", 2, "--partition", "any", "--time", "1:00:00",
               "--model", small_model_file]  # fmt: skip
    environment = {**os.environ, "PATH": path, "SLURM_LOG": str(log)}
    done = subprocess.run([*map(str, command)], env=environment, stderr=-1, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert text_of(tmp_path / "out" / "texts") == text_of(texts), log.read_text()
    assert sorted(p.name for p in (tmp_path / "out/logs/completions").iterdir()) == [
        "00000", "00001",
    ]  # fmt: skip


def test_ray_is_set_up(example, crawled_folder, small_model_file, tmp_path):
    ray = example("datatrove_ray")
    words = [crawled_folder, "--out", tmp_path, "--tasks", "2", "--model", small_model_file]
    executor = ray.executor(ray.parsed([*map(str, words)]))
    assert executor.world_size == 2
    assert executor.get_incomplete_ranks() == [0, 1]
    assert len(executor.pipeline) == 3


@pytest.mark.parametrize("name", ["datatrove_local", "datatrove_ray", "datatrove_slurm"])
def test_the_whole_configuration_holds(name, example, crawled_folder, small_model_file, tmp_path):
    config = tmp_path / "my.yaml"
    config.write_text("filter: {least_words: 9}\nlimits: {bytes: 99}\ndecide: {threshold: 0.3}\n")
    words = [crawled_folder, "--out", tmp_path, "--tasks", "1", "--model", small_model_file,
             "--config", config]  # fmt: skip
    words += ["--partition", "any", "--time", "1:00:00"] if name == "datatrove_slurm" else []
    module = example(name)
    reader, step, _ = module.executor(module.parsed([*map(str, words)])).pipeline
    assert (step.system.filter.least_words, step.system.decision.threshold) == (9, 0.3)
    assert step.system.limits.bytes == reader.reading.max_bytes == 99
