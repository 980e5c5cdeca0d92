"""Pictures of many small panels, as SVG."""

from collections.abc import Iterable, Sequence

WIDTH, HEIGHT, ACROSS = 250, 190, 4
LEFT, RIGHT, TOP, BOTTOM = 34, 10, 26, 22  # what a panel leaves free at its edges
LEGEND = 30  # pixels above all panels


def sheet(panels: Sequence[Iterable[str]], legend: Iterable[str] = ()) -> str:
    """Four panels across."""
    down = -(-len(panels) // ACROSS)
    size = f"{ACROSS * WIDTH} {down * HEIGHT + LEGEND}"
    body = list(legend)
    for number, panel in enumerate(panels):
        place = f"{number % ACROSS * WIDTH} {LEGEND + number // ACROSS * HEIGHT}"
        body += [f'<g transform="translate({place})">', *panel, "</g>"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="Helvetica, Arial, sans-serif" '
        'font-size="11" fill="#222">\n<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )
