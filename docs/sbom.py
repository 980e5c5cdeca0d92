"""The software bill of materials: `python docs/sbom.py` writes docs/sbom.cdx.json from requirements.txt.

CycloneDX 1.6, without any network: names and versions are those of requirements.txt, hashes would be those of one
platform. Licences are what the installed packages say of themselves, where they are installed in that version.
"""

import json
import re
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

import fairshot

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "sbom.cdx.json"


def bill(requirements: str) -> dict[str, Any]:
    """The bill of the packages in the text of a requirements file."""
    pinned = re.findall(r"^([\w.-]+)==([^\s;]+)", requirements, re.MULTILINE)
    components = [_component(name, version) for name, version in sorted(pinned, key=lambda pair: _normal(pair[0]))]
    own = {"type": "library", "bom-ref": "fairshot", "name": "fairshot", "version": fairshot.__version__}
    references = [component["bom-ref"] for component in components]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(references))}",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
        "dependencies": [{"ref": "fairshot", "dependsOn": references}],
    }


def _component(name: str, version: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{_normal(name)}@{version}"
    licence = _licence(name, version)
    told = {"licenses": [{"expression": licence}]} if licence else {}
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, **told}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _licence(name: str, version: str) -> str:
    """The expression that a package gives; nothing for one that is not here, or says it in free text."""
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    return found.get("License-Expression") or "" if found["Version"] == version else ""


if __name__ == "__main__":
    FILE.write_text(json.dumps(bill((ROOT / "requirements.txt").read_text()), indent=1) + "\n")
    print(f"Saved to {FILE}.")
