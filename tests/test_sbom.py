"""The software bill of materials is that of requirements.txt."""

import json
import runpy

from tests.paths import DOCS, ROOT


def test_the_bill_names_every_package_that_is_required_and_no_other() -> None:
    kept = json.loads((DOCS / "sbom.cdx.json").read_text())
    required = (ROOT / "requirements.txt").read_text()
    made = runpy.run_path(str(DOCS / "sbom.py"))["bill"](required)
    listed = [{name: value for name, value in one.items() if name != "licenses"} for one in made["components"]]
    assert [{name: value for name, value in one.items() if name != "licenses"} for one in kept["components"]] == listed
    assert (kept["bomFormat"], kept["specVersion"], kept["serialNumber"]) == ("CycloneDX", "1.6", made["serialNumber"])
    assert sum(line[:1].isalnum() for line in required.splitlines()) == len(listed)
