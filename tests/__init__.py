from tests.shape_checks import install

install()
