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
  padding: clamp(2rem, 6vw, 4.5rem) var(--gutter) 3rem;
  overflow-wrap: anywhere;
}

h1,
h2,
p,
ul,
ol {
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

a:hover {
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

/* Site, and where the visitor is. */

.masthead {
  padding-block-end: clamp(1.5rem, 4vw, 2.75rem);
}

.document,
.breadcrumb {
  margin-block-end: 0.625rem;
  color: var(--muted);
  font-size: 0.9375rem;
}

.breadcrumb ol {
  display: flex;
  flex-wrap: wrap;
  column-gap: 0.5rem;
}

.breadcrumb li + li::before {
  content: "\\203A";
  content: "\\203A" / "";
  margin-inline-end: 0.5rem;
  color: var(--muted);
}

h1 {
  font-size: clamp(1.875rem, 1.4rem + 2.2vw, 3rem);
  font-weight: 700;
  letter-spacing: -0.022em;
  line-height: 1.12;
  text-wrap: balance;
}

h1 a,
h1 a:visited {
  color: inherit;
}

/* On a section's pages the section comes first. */
.breadcrumb + h1 {
  font-size: clamp(1.375rem, 1.2rem + 0.8vw, 1.75rem);
}

.description {
  max-inline-size: 44rem;
  margin-block-start: 0.75rem;
  color: var(--muted);
  font-size: 1.125rem;
  text-wrap: pretty;
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
  gap: 1.25rem clamp(1.5rem, 4vw, 3.5rem);
  padding-block: clamp(1.5rem, 3.5vw, 2.25rem);
  border-block-start: 1px solid var(--rule);
}

h2 {
  font-size: 1.25rem;
  font-weight: 650;
  letter-spacing: -0.01em;
  line-height: 1.3;
  scroll-margin-block-start: 1.5rem;
}

.facts {
  margin-block-start: 0.25rem;
  color: var(--muted);
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
}

.facts > bdi + bdi::before {
  content: "\\B7\\A0";
  content: "\\B7\\A0" / "";
}

.entries {
  column-gap: clamp(1.5rem, 3vw, 2.5rem);
  min-inline-size: 0;
  margin-block-end: -0.75rem;
}

.columns {
  columns: 16rem;
}

.entries > li {
  max-inline-size: 44rem;
  padding-block-end: 0.75rem;
  break-inside: avoid;
  line-height: 1.4;
}

/* An entry in another language keeps its direction, the list its edge. */
[dir="ltr"] .entries > li {
  text-align: left;
}

[dir="rtl"] .entries > li {
  text-align: right;
}

.entries a {
  text-wrap: pretty;
}

time {
  white-space: nowrap;
}

.entries p {
  margin-block-start: 0.125rem;
  color: var(--muted);
  font-size: 0.875rem;
  line-height: 1.5;
}

a[hreflang]::after {
  content: attr(hreflang);
  content: attr(hreflang) / "";
  display: inline-block;
  margin-inline-start: 0.5rem;
  padding: 0 0.375rem;
  border: 1px solid var(--rule);
  border-radius: 4px;
  color: var(--muted);
  font-size: 0.6875rem;
  line-height: 1.5;
  vertical-align: 0.125em;
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

/* Pages of a long section. */

.pagination {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0.5rem 1rem;
  padding-block-start: 1.5rem;
  border-block-start: 1px solid var(--rule);
  font-variant-numeric: tabular-nums;
}

.pagination ul {
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: 0.25rem;
}

.pagination a,
.gap {
  display: block;
  min-inline-size: 2.5rem;
  padding: 0.4375rem 0.625rem;
  border-radius: 8px;
  line-height: 1.625rem;
  text-align: center;
}

.pagination a,
.pagination a:visited {
  color: var(--link);
}

.pagination a:hover {
  background: var(--rule);
  text-decoration: none;
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
  font-size: 0.875rem;
}

footer ul {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.5rem;
}

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
    grid-template-columns: minmax(0, 13rem) minmax(0, 1fr);
  }

  .facts > bdi {
    display: block;
  }

  .facts > bdi + bdi::before {
    content: none;
  }

  .section > .entries {
    padding-block-start: 0.125rem;
  }

  .section > .heading {
    position: sticky;
    inset-block-start: 1.5rem;
    align-self: start;
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
  .jump,
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
}
`
