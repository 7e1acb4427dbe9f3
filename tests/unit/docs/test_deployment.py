"""The files in deploy/ are valid for the programs that use them, and their commands exist."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from posterity.cli.main import posterity

DEPLOY = Path(__file__).parents[3] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
UNITS = sorted(DEPLOY.glob("*.service"))


def _pod(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest.get("spec", {}).get("template", {}).get("spec", {})  # type: ignore[no-any-return]


def _commands() -> list[list[str]]:
    """Every command line of Posterity in the files, without the name of the program."""
    found = [service["command"] for service in COMPOSE["services"].values() if "command" in service]
    found += [container["args"] for manifest in MANIFESTS for container in _pod(manifest).get("containers", [])]
    for unit in UNITS:
        line = re.search(r"^ExecStart=\S*/posterity (.*)$", unit.read_text(), re.MULTILINE)
        assert line is not None
        found.append(shlex.split(line[1]))
    script = (DEPLOY / "slurm.sh").read_text().replace("\\\n", " ")
    line = re.search(r"^exec posterity (.*)$", script, re.MULTILINE)
    assert line is not None
    return [*found, shlex.split(line[1])]


@pytest.mark.parametrize("arguments", _commands(), ids=" ".join)
def test_commands_are_ours(arguments: list[str]) -> None:
    context = posterity.make_context("posterity", list(arguments), resilient_parsing=True)
    command: click.Command = posterity
    rest = list(arguments)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest.pop(0))
        assert found is not None, arguments
        command = found
    command.make_context(command.name, rest)  # raises for an unknown option or a bad value


def test_services_depend_on_what_is_there() -> None:
    services = COMPOSE["services"]
    assert {"database", "init", "server", "worker"} <= set(services)
    assert services["worker"]["deploy"]["replicas"] == 2
    for service in services.values():
        assert set(service.get("depends_on", ())) <= set(services)
        for volume in service.get("volumes", ()):
            name = volume.partition(":")[0]
            assert name.startswith((".", "/")) or name in COMPOSE["volumes"]


def test_manifests_are_whole() -> None:
    kinds = [manifest["kind"] for manifest in MANIFESTS]
    assert kinds == ["Job", "StatefulSet", "Deployment", "Service", "Service"]
    services = {manifest["metadata"]["name"] for manifest in MANIFESTS if manifest["kind"] == "Service"}
    assert {manifest["spec"].get("serviceName") for manifest in MANIFESTS} <= {None, *services}
    for manifest in MANIFESTS:
        assert manifest["apiVersion"]
        assert manifest["metadata"]["name"]
        if "matchLabels" in manifest["spec"].get("selector", {}):
            assert manifest["spec"]["selector"]["matchLabels"] == manifest["spec"]["template"]["metadata"]["labels"]
            assert _pod(manifest)["securityContext"]["runAsNonRoot"]


def test_images_are_made_of_what_is_there() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    stages = [line.split()[-1] for line in lines if line.startswith("FROM ")]
    assert stages == ["build", "build-browser", "base", "browser"]
    assert {line.split()[1] for line in lines if line.startswith("FROM ")} - set(stages) == {"python:3.11-slim"}
    assert set(re.findall(r"--from=(\S+)", "\n".join(lines))) <= set(stages)
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    assert [name for names in copied for name in names if not (DEPLOY.parent / name).exists()] == []


def test_images_have_the_user_that_manifests_name() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    users = {_pod(manifest)["securityContext"]["runAsUser"] for manifest in MANIFESTS if "replicas" in manifest["spec"]}
    assert re.findall(r"^USER (\S+)$", text, re.MULTILINE)[-1] == "999"
    assert re.findall(r"--uid (\d+)", text) == ["999"]
    assert users == {999}


def test_images_are_made_by_the_uv_of_the_lock() -> None:
    """pip refuses a folder together with a list with hashes, so the lock is for uv."""
    text = (DEPLOY / "Dockerfile").read_text()
    assert re.findall(r"uv==(\S+)", text) == re.findall(
        r"^uv_version=(\S+)$", (DEPLOY.parent / "tools/setup.sh").read_text(), re.MULTILINE
    )
    assert not re.search(r"(?<!uv )pip install[^&]*--constraint", text)


CHECKS = {
    "hadolint": ["hadolint", "Dockerfile"],
    "shellcheck": ["shellcheck", "slurm.sh"],
    "kubernetes-validate": ["kubernetes-validate", "--strict", "kubernetes.yaml"],
}


@pytest.mark.parametrize("tool", CHECKS)
def test_files_pass_the_tool_that_checks_them(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not here")
    ended = subprocess.run(CHECKS[tool], cwd=DEPLOY, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_are_valid(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    # The unit's program and user do not exist on this machine.
    text = re.sub(r"/opt/posterity/bin/posterity", "/bin/true", unit.read_text()).replace("User=posterity", "User=root")
    (tmp_path / unit.name).write_text(text)
    ended = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit.name], capture_output=True, text=True, check=False
    )
    about = [line for line in ended.stderr.splitlines() if unit.name in line]
    assert about == []


def test_script_of_slurm_can_be_read() -> None:
    subprocess.run(["bash", "-n", DEPLOY / "slurm.sh"], check=True)
