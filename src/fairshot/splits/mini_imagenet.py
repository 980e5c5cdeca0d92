"""mini-ImageNet (Vinyals et al. 2016) with the classes of Ravi and Larochelle 2017: 64 base, 16 val, 20 novel."""

from fairshot.sources.source import Source
from fairshot.splits.class_lists import Named, split_by_name
from fairshot.splits.split import Split

RAVI_VAL = (
    "n01855672",
    "n02091244",
    "n02114548",
    "n02138441",
    "n02174001",
    "n02950826",
    "n02971356",
    "n02981792",
    "n03075370",
    "n03417042",
    "n03535780",
    "n03584254",
    "n03770439",
    "n03773504",
    "n03980874",
    "n09256479",
)
RAVI_NOVEL = (
    "n01930112",
    "n01981276",
    "n02099601",
    "n02110063",
    "n02110341",
    "n02116738",
    "n02129165",
    "n02219486",
    "n02443484",
    "n02871525",
    "n03127925",
    "n03146219",
    "n03272010",
    "n03544143",
    "n03775546",
    "n04146614",
    "n04149813",
    "n04418357",
    "n04522168",
    "n07613480",
)

SPLITS = {"ravi": Named(RAVI_VAL, RAVI_NOVEL, (64, 16, 20), "84", "the classes of Ravi and Larochelle")}


def load(name: str, source: Source) -> Split:
    """The named split of mini-ImageNet."""
    return split_by_name(name, source, SPLITS[name])
