import { setImmediate } from 'node:timers/promises'
import type Database from 'libsql'
import type { EntryObject } from '../plugins/fastify.ts'
import { productImagePath, productPath } from './links.ts'

/** What a product is for; decides its picture. */
export type Category = 'kitchen' | 'garden' | 'seeds' | 'table'

/** A row of the table `products`. */
export interface Product {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly category: Category
  readonly description: string
  /** Path of the picture. */
  readonly image: string
  /** Euro cents. */
  readonly price: number
  /** ISO date-time in UTC. */
  readonly updated_at: string
}

/** Rows of one read; between two reads other work of the process gets its turn. */
const pageSize = 500

/**
 * The products as entries, read by key pages: each page starts behind the last id of the one before, so that the
 * thousandth page costs what the first did, and a row added or removed meanwhile shifts nothing.
 */
export async function* readProducts(db: Database.Database, signal: AbortSignal): AsyncGenerator<EntryObject> {
  const page = db.prepare('select * from products where id > ? order by id limit ?')
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const rows = page.all(after, pageSize) as Product[]
    for (const product of rows) {
      yield {
        loc: productPath(product.slug),
        lastmod: product.updated_at,
        title: product.name,
        description: product.description,
        images: [product.image],
        lang: 'en',
        type: 'Product',
      }
      after = product.id
    }
    if (rows.length < pageSize) return
    // libsql answers synchronously: without this the whole table would be read in one turn of the event loop.
    await setImmediate()
  }
}

/** A cheap token that moves whenever a row is added, removed or edited: while it stands still, no row is read. */
export function productsVersion(db: Database.Database): string {
  const row = db.prepare('select count(*) as count, max(updated_at) as newest from products').get()
  const { count, newest } = row as { count: number; newest: string | null }
  return `${count} ${newest ?? '-'}`
}

/** A product by its id. */
export function productById(db: Database.Database, id: number): Product | undefined {
  return db.prepare('select * from products where id = ?').get(id) as Product | undefined
}

/** A product by its slug. */
export function productBySlug(db: Database.Database, slug: string): Product | undefined {
  return db.prepare('select * from products where slug = ?').get(slug) as Product | undefined
}

/** One page of the shop's list, behind the product `after`. */
export function productList(db: Database.Database, after: number, limit: number): readonly Product[] {
  return db.prepare('select * from products where id > ? order by id limit ?').all(after, limit) as Product[]
}

/** The products edited last. */
export function latestProducts(db: Database.Database, limit: number): readonly Product[] {
  const latest = db.prepare('select * from products order by updated_at desc, id limit ?')
  return latest.all(limit) as Product[]
}

/** Changes a product's name, and its description where one is given; false if there is no such product. The slug stays: it is the product's address. */
export function editProduct(
  db: Database.Database,
  id: number,
  change: { readonly name: string; readonly description?: string },
): boolean {
  const edit = db.prepare(
    'update products set name = ?, description = coalesce(?, description), updated_at = ? where id = ?',
  )
  return edit.run(change.name, change.description ?? null, new Date().toISOString(), id).changes > 0
}

/** Fills an empty table; the same products with the same dates in every copy of the example. */
export function seedProducts(db: Database.Database): void {
  const { count } = db.prepare('select count(*) as count from products').get() as { count: number }
  if (count > 0) return
  const insert = db.prepare(
    `insert or ignore into products (id, slug, name, category, description, image, price, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const seed = db.transaction(() => {
    let id = 0
    for (const { name, category, description, price } of assortment()) {
      id += 1
      const slug = slugOf(name)
      // Spread over 2025 without a pattern that the eye would find.
      const updatedAt = new Date(Date.UTC(2025, 0, 1) + ((id * 7_919) % 525_600) * 60_000).toISOString()
      insert.run(id, slug, name, category, description, productImagePath(slug), price, updatedAt)
    }
  })
  seed()
}

interface Range {
  readonly category: Category
  readonly kinds: readonly string[]
  readonly things: readonly string[]
  readonly sizes: readonly string[]
  readonly about: string
  /** Euro cents of the smallest size. */
  readonly price: number
}

const ranges: readonly Range[] = [
  {
    category: 'kitchen',
    kinds: [
      'Copper',
      'Cast-iron',
      'Stainless steel',
      'Carbon steel',
      'Enamelled',
      'Hammered',
      'Non-stick',
      'Classic',
      'Chef’s',
      'Everyday',
    ],
    things: [
      'saucepan & lid',
      'sauté pan',
      'frying pan',
      'stockpot',
      'casserole',
      'roasting tin',
      'mixing bowl',
      'pie dish',
      'crêpe pan',
      'wok',
      'gratin dish',
      'colander',
      'bread tin',
      'milk pan',
      'steamer',
      'cake ring',
    ],
    sizes: ['16 cm', '18 cm', '20 cm', '24 cm', '28 cm', '32 cm'],
    about: 'for the stove and the oven',
    price: 2_450,
  },
  {
    category: 'garden',
    kinds: [
      'Hazel',
      'Willow',
      'Cedar',
      'Galvanised',
      'Terracotta',
      'Slate',
      'Oak',
      'Bamboo',
      'Rust-brown',
      'Zinc',
    ],
    things: [
      'trellis',
      'planter',
      'trug',
      'cloche',
      'watering can',
      'cold frame',
      'plant stand',
      'bird bath',
      'compost bin',
      'potting table',
      'garden bench',
      'herb crate',
      'climbing frame',
      'edging, set of 4',
    ],
    sizes: ['30 cm', '45 cm', '60 cm', '90 cm', '120 cm', '180 cm'],
    about: 'for beds, terraces & balconies',
    price: 1_890,
  },
  {
    category: 'seeds',
    kinds: [
      'Early',
      'Late',
      'Giant',
      'Dwarf',
      'Golden',
      'Crimson',
      'Snow',
      'Summer',
      'Winter',
      'Coastal',
      'Alpine',
      'Heirloom',
      'Climbing',
      'Striped',
      'Sweet',
      'Hardy',
      'Monastery',
      'Market',
    ],
    things: [
      'tomato',
      'pepper',
      'aubergine',
      'courgette',
      'cucumber',
      'runner bean',
      'garden pea',
      'lettuce',
      'spinach',
      'chard',
      'carrot',
      'beetroot',
      'radish',
      'leek',
      'onion',
      'cabbage',
      'kale',
      'basil',
      'parsley',
      'marigold',
    ],
    sizes: ['20 seeds', '100 seeds', '500 seeds'],
    about: 'from open-pollinated plants, untreated',
    price: 240,
  },
  {
    category: 'table',
    kinds: [
      'Linen',
      'Stoneware',
      'Olive-wood',
      'Walnut',
      'Porcelain',
      'Glazed',
      'Speckled',
      'Café',
      'Harvest',
      'Sunday',
    ],
    things: [
      'dinner plates',
      'soup bowls',
      'serving platters',
      'salad bowls',
      'espresso cups',
      'tumblers',
      'napkins & rings',
      'place mats',
      'egg cups',
      'butter dishes',
      'salt & pepper mills',
      'bread boards',
      'candle holders',
      'jugs',
    ],
    sizes: ['single', 'set of 2', 'set of 4', 'set of 6', 'set of 8'],
    about: 'for two at breakfast or twelve at a feast',
    price: 950,
  },
]

/** Every kind of every thing in every size, the ranges taken in turn. */
function* assortment(): Generator<Pick<Product, 'name' | 'category' | 'description' | 'price'>> {
  const shelves = ranges.map(rangeProducts)
  while (shelves.length > 0) {
    for (const shelf of [...shelves]) {
      const next = shelf.next()
      if (next.done) shelves.splice(shelves.indexOf(shelf), 1)
      else yield next.value
    }
  }
}

function* rangeProducts(
  range: Range,
): Generator<Pick<Product, 'name' | 'category' | 'description' | 'price'>, undefined> {
  for (const [t, thing] of range.things.entries()) {
    for (const [k, kind] of range.kinds.entries()) {
      for (const [s, size] of range.sizes.entries()) {
        const name = `${kind} ${thing}, ${size}`
        const price = Math.round((range.price * (1 + s * 0.7) * (1 + ((t * 5 + k * 3) % 11) / 10)) / 10) * 10
        yield { name, category: range.category, description: `${name}: ${range.about}.`, price }
      }
    }
  }
}

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}|’/gu, '')
    .replaceAll('&', 'and')
    .replaceAll(/[^a-z0-9]+/g, '-')
}
