"""The two forms in which converted copies of Meta-Dataset are passed on: its TFRecords, and one HDF5 file a class."""

from fairshot.sources.images.copies import Copy
from fairshot.sources.images.hdf5_classes import hdf5_classes
from fairshot.sources.images.tfrecords import tfrecords


def shared_copies(name: str) -> dict[str, Copy]:
    """The copies of a source in these forms: DATA/NAME/records and DATA/NAME/hdf5."""
    return {
        "records": Copy(((f"{name}/records",),), tfrecords(name)),
        "hdf5": Copy(((f"{name}/hdf5",),), hdf5_classes(name)),
    }
