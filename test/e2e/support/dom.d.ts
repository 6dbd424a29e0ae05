// The types of playwright-core name these four of the DOM. They are all that it needs here: code that runs in a page is
// text, so that nothing else of the package sees a browser's globals.

interface Node {
  readonly nodeName: string
}

interface HTMLElement extends Node {
  readonly lang: string
}

interface SVGElement extends Node {
  readonly viewportElement: SVGElement | null
}

interface HTMLElementTagNameMap {
  readonly a: HTMLElement
}
