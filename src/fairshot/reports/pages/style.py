"""How a page looks, on light and dark screens, on narrow ones and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #8886;
  --paper: #fff; --card: #f6f8fa; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0f6fc; --soft: #9198a1; --paper: #0d1117; --card: #151b23; --link: #79c0ff; }
}
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; }
h2, h3 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 1.1rem; margin-top: 2rem; }
.told h3 { font-size: 1.05rem; border: 0; margin: 1.5rem 0 0; padding: 0; }
.told p, .told ul { margin: .25rem 0; }
article > h2 { font-size: 1.6rem; border: 0; margin-top: 4rem; }
.episode h3, .episode h4 { font-size: 1rem; border: 0; margin: 1rem 0 0; padding: 0; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
a { color: var(--link); }
.answer { background: var(--card); border-left: 4px solid #0072b2; padding: .1rem 1rem; }
.answer p { margin: .7rem 0; }
.answer p:first-child { font-size: 1.2rem; }
.notes { color: var(--soft); font-size: .9rem; max-width: 48rem; }
.notes p { margin: .25rem 0; }
.soft, figcaption { color: var(--soft); font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1.5rem 0 .5rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; margin-bottom: .25rem; }
th, td { padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: bottom; }
th { text-align: left; }
td.number, td.whole { white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; }
th button { cursor: pointer; }
th button::after { content: "\\A0\\2195"; color: var(--soft); }
th[aria-sort=ascending] button::after { content: "\\A0\\2191"; }
th[aria-sort=descending] button::after { content: "\\A0\\2193"; }
.figures { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
.sheet img { width: 17rem; max-width: 100%; image-rendering: pixelated; border: 1px solid var(--line); }
.replaced { display: none; }
.episode th { font-weight: normal; max-width: 12rem; overflow-wrap: anywhere; vertical-align: middle; }
.episode img { display: block; }
.episode td { vertical-align: top; }
.instead { display: flex; font-size: .8rem; line-height: 1.2; color: var(--soft); }
.instead span { flex: 0 0 var(--cell); text-align: center; }
.filter { float: right; font-size: .9rem; color: var(--soft); }
dt { font-weight: 600; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --card: #f6f8fa; --line: #999; }
  body { font-size: 12px; }
  main { max-width: none; padding: 0; }
  .replaced { display: block; }
  .alive, .filter, nav { display: none; }
  .wide { overflow: visible; }
  th button::after { content: none; }
  figure, tr, .episode, .answer { break-inside: avoid; }
  h1, h2, h3, h4, caption { break-after: avoid; }
}
"""
