import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { seedProducts } from './products.ts'

/** Opens the shop's database in a folder, made and filled at first start. */
export function openDatabase(dataDir: string): Database.Database {
  mkdirSync(dataDir, { recursive: true })
  const db = new Database(join(dataDir, 'shop.db'), { timeout: 5_000 })
  db.pragma('journal_mode = wal')
  db.exec(`
    create table if not exists products (
      id integer primary key,
      slug text not null unique,
      name text not null,
      category text not null,
      description text not null,
      image text not null,
      price integer not null,
      updated_at text not null
    );
    create index if not exists products_updated_at on products (updated_at);
    create table if not exists pages (
      path text primary key,
      title text not null,
      updated_at text not null
    );
  `)
  seedProducts(db)
  return db
}
