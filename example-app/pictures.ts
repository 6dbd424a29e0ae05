import type { Category, Product } from './products.ts'

const shapes: Readonly<Record<Category, string>> = {
  kitchen:
    '<path d="M90 150h180v60a34 34 0 0 1-34 34H124a34 34 0 0 1-34-34z"/><path d="M262 160h88v18h-88z"/><path d="M96 132h168v12H96zM170 116h20v14h-20z"/>',
  garden:
    '<path d="M200 236c-70-10-96-62-88-132 70 8 104 54 88 132z"/><path d="M208 236c-8-52 24-92 84-98 2 60-28 96-84 98z"/><path d="M198 200h10v60h-10z"/>',
  seeds:
    '<path d="M132 84h136v176H132z"/><path d="M132 84h136l-14-18H146z"/><circle cx="180" cy="150" r="13" fill="#fff"/><circle cx="220" cy="170" r="13" fill="#fff"/><circle cx="186" cy="204" r="13" fill="#fff"/>',
  table:
    '<circle cx="200" cy="160" r="92"/><circle cx="200" cy="160" r="60" fill="none" stroke="#fff" stroke-width="5"/>',
}

/** A product's picture, drawn from its category and id alone. */
export function productPicture(product: Pick<Product, 'id' | 'category'>): string {
  const hue = (product.id * 47) % 360
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 320" role="img">' +
    `<rect width="400" height="320" fill="hsl(${hue} 38% 91%)"/>` +
    `<rect y="262" width="400" height="58" fill="hsl(${hue} 32% 83%)"/>` +
    `<g fill="hsl(${hue} 34% 38%)">${shapes[product.category]}</g></svg>`
  )
}
