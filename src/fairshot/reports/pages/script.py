"""What a page does where scripts may run: tables are sorted and filtered, charts answer to the pointer."""

SORTING = """
for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 3 || !table.tHead) continue;
  for (const [place, heading] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = heading.textContent;
    heading.textContent = '';
    heading.append(button);
    button.addEventListener('click', () => {
      const down = heading.getAttribute('aria-sort') !== 'descending';
      for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const value = row => {
        const cell = row.cells[place];
        return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
      };
      const order = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (typeof x === 'number' && typeof y === 'number') return x - y;
        if (typeof x === 'number') return 1;
        if (typeof y === 'number') return -1;
        return x.localeCompare(y);
      };
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * order(a, b)));
    });
  }
}
const filter = document.getElementById('filter');
if (filter) {
  filter.parentElement.hidden = false;
  filter.addEventListener('input', () => {
    const sought = filter.value.toLowerCase();
    for (const row of document.querySelectorAll('table tbody tr'))
      row.hidden = !row.textContent.toLowerCase().includes(sought);
  });
}
"""
CHARTS = """
for (const figure of document.querySelectorAll('figure.chart')) {
  const spec = JSON.parse(figure.querySelector('script').textContent);
  spec.background = 'transparent';
  const place = document.createElement('div');
  place.className = 'alive';
  place.setAttribute('aria-hidden', 'true');
  vegaEmbed(place, spec, {renderer: 'svg', actions: false}).then(() => {
    figure.querySelector('.drawn').classList.add('replaced');
    figure.insertBefore(place, figure.firstChild);
  }).catch(error => console.error(error));
}
"""
