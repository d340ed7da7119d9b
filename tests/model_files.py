"""Model files as what they are: archives of a document and arrays."""

import io
import json
import zipfile

import numpy as np


def members(path):
    """Name to bytes of all that an archive holds."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archived(path, content, method=zipfile.ZIP_DEFLATED):
    """Write an archive of members: bytes, arrays or documents; those that are None are left out."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in content.items():
            if value is not None:
                archive.writestr(name, _bytes_of(value))
    return path


def _bytes_of(value):
    if isinstance(value, np.ndarray):
        buffer = io.BytesIO()
        np.save(buffer, value)
        return buffer.getvalue()
    return json.dumps(value) if isinstance(value, dict) else value


def content_of(path):
    """Document and arrays of a model file."""
    held = members(path)
    arrays = {
        name.removesuffix(".npy"): np.load(io.BytesIO(data))
        for name, data in held.items()
        if name.endswith(".npy")
    }
    return json.loads(held["model.json"]), arrays
