/**
 * Stylesheet of the HTML sitemap, served as a document of its own so that a strict Content-Security-Policy holds (SPEC H9).
 * Logical properties throughout: the same rules set a page that runs from right to left.
 * `content` stands twice where it is decoration: a browser that knows no alternative text drops the second.
 */
export const HTML_STYLESHEET: string = `:root {
  color-scheme: light dark;
  --paper: #fcfcfb;
  --raised: #ffffff;
  --ink: #1b1c1e;
  --muted: #5d6169;
  --rule: #e4e4e0;
  --link: #1849a9;
  --visited: #6b3fa0;
  --accent: #2f6fed;
  --gutter: clamp(1.125rem, 4vw, 3rem);
  --space: clamp(1.5rem, 3.5vw, 2.25rem);
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131417;
    --raised: #1b1d21;
    --ink: #e9e9e6;
    --muted: #9da1aa;
    --rule: #2b2e34;
    --link: #9dc1ff;
    --visited: #cdb2f5;
    --accent: #6ea2ff;
  }
}

*,
*::before,
*::after {
  box-sizing: border-box;
}

html {
  background: var(--paper);
  color: var(--ink);
  font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}

body {
  max-inline-size: 78rem;
  margin: 0 auto;
  padding: clamp(1.5rem, 4vw, 2.5rem) var(--gutter) 3rem;
  overflow-wrap: anywhere;
}

h1,
h2,
p,
ul,
ol,
dl,
dd {
  margin: 0;
  padding: 0;
}

ul,
ol {
  list-style: none;
}

a {
  color: var(--link);
  text-decoration: none;
}

a:visited {
  color: var(--visited);
}

a:hover,
.entries a[hreflang]:hover bdi {
  text-decoration: underline;
  text-decoration-thickness: 0.08em;
  text-underline-offset: 0.2em;
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 3px;
  border-radius: 3px;
}

.skip {
  position: absolute;
  inset-block-start: 0.75rem;
  inset-inline-start: 0.75rem;
  z-index: 1;
  padding: 0.5rem 0.875rem;
  border-radius: 6px;
  background: var(--ink);
  color: var(--paper);
}

.skip:not(:focus) {
  clip-path: inset(50%);
  block-size: 1px;
  inline-size: 1px;
  padding: 0;
  overflow: hidden;
  white-space: nowrap;
}

/* Where the visitor is, and in which language. */

header {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 0.25rem 2rem;
  color: var(--muted);
  font-size: 0.9375rem;
  line-height: 1.75rem;
}

.breadcrumb ol,
.languages ul {
  display: flex;
  flex-wrap: wrap;
}

.breadcrumb li:not(:last-child)::after {
  content: "\\203A";
  content: "\\203A" / "";
  margin-inline: 0.5rem;
}

.languages ul {
  gap: 0 1rem;
}

.languages a {
  display: block;
}

.languages a[aria-current] {
  color: var(--ink);
  font-weight: 600;
}

/* What the page shows. */

.title {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.875rem 2rem;
  padding-block: clamp(2rem, 5vw, 3.5rem) clamp(1.5rem, 4vw, 2.5rem);
}

/* Words that are wider than a small screen are broken where they may be. */
h1,
h2 {
  -webkit-hyphens: auto;
  hyphens: auto;
  hyphenate-limit-chars: 12 5 5;
}

h1 {
  flex-basis: 100%;
  font-size: clamp(1.5rem, 1rem + 2.6vw, 3rem);
  font-weight: 700;
  letter-spacing: -0.022em;
  line-height: 1.12;
  text-wrap: balance;
}

h1 a,
h1 a:visited {
  color: inherit;
}

.description {
  max-inline-size: 44rem;
  color: var(--muted);
  font-size: 1.125rem;
  text-wrap: pretty;
}

.facts {
  color: var(--muted);
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  overflow: hidden;
  overflow: clip;
}

.title .facts {
  font-size: 1rem;
}

/* A fact stays in one piece; the point before one that begins a line lies outside, where it is cut off. */
.facts > span {
  display: inline-block;
  position: relative;
  inset-inline-start: -0.7em;
  padding-inline-start: 0.7em;
}

.facts > span + span::before {
  content: "\\B7";
  content: "\\B7" / "";
  position: absolute;
  inset-inline-start: 0.05em;
}

time {
  white-space: nowrap;
}

.jump {
  padding-block-end: clamp(1.5rem, 4vw, 2.5rem);
}

.jump ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}

.jump a {
  display: block;
  padding: 0.3125rem 0.875rem;
  border: 1px solid var(--rule);
  border-radius: 999px;
  background: var(--raised);
  color: var(--ink);
  font-size: 0.9375rem;
}

.jump a:hover {
  border-color: var(--accent);
  text-decoration: none;
}

/* Sections: a heading beside its list; cards where the list lies on other pages. */

.sections {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
  gap: 1rem;
}

.section {
  grid-column: 1 / -1;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem clamp(1.5rem, 4vw, 3.5rem);
  padding-block-start: var(--space);
  border-block-start: 1px solid var(--rule);
}

/* Above a rule and below it there is the same space, above a card, too. */
.section:not(:last-child) {
  margin-block-end: calc(var(--space) - 1rem);
}

.card + .section {
  margin-block-start: calc(var(--space) - 1rem);
}

/* What keeps entries apart is not needed after the last one. */
.section > .entries:last-child {
  margin-block-end: -0.75rem;
}

h2 {
  margin-block-end: 0.25rem;
  font-size: 1.25rem;
  font-weight: 650;
  letter-spacing: -0.01em;
  line-height: 1.3;
  scroll-margin-block-start: 1.5rem;
}

.card {
  position: relative;
  padding: 1.125rem 1.25rem 1.1875rem;
  padding-inline-end: 2.75rem;
  border: 1px solid var(--rule);
  border-radius: 12px;
  background: var(--raised);
  transition: border-color 120ms;
}

.card:has(a)::after {
  content: "\\203A";
  content: "\\203A" / "";
  position: absolute;
  inset-block-start: 0.875rem;
  inset-inline-end: 1.25rem;
  color: var(--muted);
  font-size: 1.25rem;
  line-height: 1.3;
}

.card h2 {
  font-size: 1.0625rem;
}

.card a::after {
  content: "";
  position: absolute;
  inset: 0;
  border-radius: inherit;
}

.card:hover {
  border-color: var(--accent);
}

/* Entries. They read down a column, then down the next. */

main > .contents > .entries:first-child {
  padding-block-start: var(--space);
  border-block-start: 1px solid var(--rule);
}

.columns {
  columns: 15.5rem;
  column-gap: clamp(1.5rem, 3vw, 2.5rem);
}

/* The next run of a long list. */
.columns + .columns {
  margin-block-start: 1rem;
  padding-block-start: 1.75rem;
  border-block-start: 1px solid var(--rule);
}

.entries li {
  max-inline-size: 44rem;
  padding-block-end: 0.75rem;
  break-inside: avoid;
  line-height: 1.4;
}

.entries a {
  text-wrap: pretty;
}

.entries p {
  margin-block-start: 0.125rem;
  color: var(--muted);
  font-size: 0.875rem;
  line-height: 1.5;
}

/* An entry in another language keeps its direction, the list its edge. */
[dir="ltr"] .entries :is(li, div) {
  text-align: left;
}

[dir="rtl"] .entries :is(li, div) {
  text-align: right;
}

/* A space stands before the badge, where a line may end without leaving its mark on the next one. */
.entries a[hreflang] {
  text-decoration: none;
  word-spacing: 0.25rem;
}

.entries a[hreflang] bdi {
  word-spacing: 0;
}

.entries a[hreflang]::after {
  content: attr(hreflang);
  content: attr(hreflang) / "";
  display: inline-block;
  padding: 0 0.375rem;
  border: 1px solid var(--rule);
  border-radius: 4px;
  color: var(--muted);
  font-size: 0.6875rem;
  line-height: 1.5;
  vertical-align: 0.125em;
}

/* What lies below an entry hangs on a line. */

.below {
  margin-block-start: 0.625rem;
  padding-inline-start: 0.875rem;
  border-inline-start: 1px solid var(--rule);
  font-size: 0.9375rem;
}

.below .below {
  font-size: 1em;
}

.below > li:last-child {
  padding-block-end: 0;
}

.entries .branch {
  padding-block-end: 1.125rem;
}

.branch > div > a {
  font-weight: 600;
}

.below .branch > div > a {
  font-weight: 500;
}

.entries .wide {
  max-inline-size: none;
  column-span: all;
  break-inside: auto;
}

.entries li + .wide {
  padding-block-start: 0.75rem;
}

.wide > .columns {
  margin-block-start: 0.75rem;
}

/* The page that defines the robots-* classes. */

main > p,
.profile {
  text-wrap: pretty;
}

main > p {
  max-inline-size: 62ch;
}

.profile {
  margin-block: var(--space);
  border-block-end: 1px solid var(--rule);
}

.profile dt {
  padding-block-start: 0.75rem;
  border-block-start: 1px solid var(--rule);
  font-weight: 600;
  white-space: nowrap;
}

.profile dd {
  padding-block-end: 0.75rem;
  color: var(--muted);
}

code {
  color: var(--ink);
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.875em;
}

.profile code {
  white-space: nowrap;
}

/* Pages of a long section. */

.pager,
.pagination {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem;
  font-variant-numeric: tabular-nums;
}

.pagination {
  justify-content: center;
  margin-block-start: clamp(1rem, 3vw, 1.75rem);
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--rule);
}

.pagination ul {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 0.25rem;
}

.pager a,
.pagination a,
.gap {
  display: block;
  min-inline-size: 2.5rem;
  padding: 0.4375rem 0.625rem;
  border-radius: 8px;
  line-height: 1.625rem;
  text-align: center;
}

.pager a,
.pagination a,
.pager a:visited,
.pagination a:visited {
  color: var(--link);
}

.pager a:hover,
.pagination a:hover {
  background: var(--rule);
  text-decoration: none;
}

.pager a {
  padding: 0.375rem 0.875rem;
  border: 1px solid var(--rule);
  background: var(--raised);
}

.pagination a[aria-current] {
  background: var(--ink);
  color: var(--paper);
  font-weight: 600;
}

.prev::before {
  content: "\\2039\\A0\\A0";
  content: "\\2039\\A0\\A0" / "";
}

.next::after {
  content: "\\A0\\A0\\203A";
  content: "\\A0\\A0\\203A" / "";
}

.gap {
  min-inline-size: 1.5rem;
  padding-inline: 0;
  color: var(--muted);
}

footer {
  margin-block-start: clamp(2rem, 5vw, 3.5rem);
  padding-block-start: 1.25rem;
  border-block-start: 1px solid var(--rule);
  font-size: 0.875rem;
}

.pagination + footer {
  border: 0;
}

footer ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.5rem;
}

footer a {
  display: block;
  line-height: 1.75rem;
}

header a,
header a:visited,
footer a,
footer a:visited {
  color: var(--muted);
}

/* Letters that join must not be set apart. */
[dir="rtl"] :is(h1, h2) {
  letter-spacing: 0;
}

@media (min-width: 56rem) {
  .section {
    grid-template-columns: minmax(0, 15rem) minmax(0, 1fr);
    row-gap: 0;
  }

  .heading .facts > span {
    display: block;
    position: static;
    padding: 0;
  }

  .heading .facts > span + span::before {
    content: none;
  }

  .section > .heading {
    grid-row: 1 / span 99;
    position: sticky;
    inset-block-start: 1.5rem;
    align-self: start;
  }

  .section > .entries {
    grid-column: 2;
  }
}

@media (min-width: 40rem) {
  .profile {
    display: grid;
    grid-template-columns: max-content minmax(0, 62ch);
    inline-size: fit-content;
  }

  .profile dt {
    padding-inline-end: 2.5rem;
  }

  .profile dt,
  .profile dd {
    padding-block: 0.75rem;
  }

  .profile dd {
    border-block-start: 1px solid var(--rule);
  }
}

@media (max-width: 40rem) {
  .pagination {
    justify-content: space-between;
  }

  .pagination ul {
    flex-basis: 100%;
    order: 1;
  }

  .pagination .next {
    margin-inline-start: auto;
  }
}

@media (prefers-reduced-motion: no-preference) {
  html {
    scroll-behavior: smooth;
  }
}

@media (forced-colors: active) {
  .pagination a[aria-current] {
    outline: 2px solid;
  }
}

@media print {
  :root {
    color-scheme: light;
    --paper: #fff;
    --raised: #fff;
    --ink: #000;
    --muted: #444;
    --rule: #bbb;
    --link: #000;
    --visited: #000;
  }

  html {
    font-size: 10pt;
  }

  body {
    max-inline-size: none;
    padding: 0;
  }

  .skip,
  .languages,
  .jump,
  .pager,
  .pagination,
  footer {
    display: none;
  }

  .section {
    display: block;
  }

  .heading {
    break-after: avoid;
    margin-block-end: 0.75rem;
  }

  .columns {
    columns: 2;
  }

  /* On paper a link is worth its address. */
  .entries a[href]::after {
    content: attr(href);
    display: block;
    margin: 0;
    padding: 0;
    border: 0;
    color: var(--muted);
    font-size: 0.75em;
    font-weight: 400;
    line-height: 1.3;
    direction: ltr;
    unicode-bidi: isolate;
  }
}
`
