// The data of the vulnerable service: users, orders and notes in SQLite, made anew at every reset.
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type Keys, makeKeys } from './tokens.ts'

export type User = { id: number; name: string; role: string; email: string }

export type State = {
  db: DatabaseSync
  /** The folder that files are kept in and commands run in. */
  folder: string
  keys: Keys
  /** Refused sign-ins by user name. */
  refused: Map<string, number>
  notes: { id: number; author: string; text: string }[]
  uploads: Map<string, Buffer>
  /** Tokens that forms of a page must send back, against requests made by other sites. */
  formTokens: Set<string>
}

/** Who may sign in; the passwords are part of what a scan is given. */
export const accounts = [
  { id: 11, name: 'alice', password: 'correct-horse-7', role: 'user', email: 'alice@shop.example' },
  { id: 12, name: 'bob', password: 'battery-staple-9', role: 'user', email: 'bob@shop.example' },
  { id: 13, name: 'root', password: 'long-and-hard-to-guess-3', role: 'admin', email: 'root@shop.example' },
  { id: 14, name: 'carol', password: 'quiet-river-stone-5', role: 'user', email: 'carol@shop.example' },
]

export function makeState(folder: string): State {
  const db = new DatabaseSync(':memory:')
  db.exec(`
    create table users (id integer primary key, name text unique, password text, role text, email text, phone text, bio text);
    create table orders (id integer primary key, owner integer, item text, address text, total integer, status text);
    create table products (id integer primary key, name text, price integer, kind text);
    create table visits (agent text, at text);
    create table members (name text unique, nickname text, role text);
    create table parcels (id integer primary key, owner integer, item text, note text, price text);
    create table secrets (owner integer, value text);
  `)
  const user = db.prepare('insert into users values (?, ?, ?, ?, ?, ?, ?)')
  for (const { id, name, password, role, email } of accounts) {
    user.run(id, name, password, role, email, `+44 20 7946 0${id}`, `${name} likes tea`)
    db.prepare('insert into members values (?, ?, ?)').run(name, name, role === 'admin' ? 'Manager' : 'Customer')
    db.prepare('insert into secrets values (?, ?)').run(id, randomBytes(8).toString('hex'))
  }
  const order = db.prepare('insert into orders values (?, ?, ?, ?, ?, ?)')
  for (const [id, owner, item] of [
    [1101, 11, 'teapot'],
    [1102, 11, 'kettle'],
    [1201, 12, 'bicycle'],
    [1202, 12, 'lantern'],
    [1401, 14, 'umbrella'],
  ] as const) {
    order.run(id, owner, item, `${randomBytes(4).toString('hex')} Harbour Street`, id % 97, 'paid')
  }
  const parcel = db.prepare('insert into parcels values (?, ?, ?, ?, ?)')
  for (const [id, owner, item, note] of [
    [3101, 11, 'a teapot', 'Ring at the blue door'],
    [3102, 11, 'a kettle', 'Leave it with the baker'],
    [3201, 12, 'a bicycle', 'Mind the dog behind the gate'],
  ] as const) {
    parcel.run(id, owner, item, note, '12')
  }
  const product = db.prepare('insert into products values (?, ?, ?, ?)')
  for (const [index, name] of ['teapot', 'kettle', 'bicycle', 'lantern', 'umbrella', 'ladder'].entries()) {
    product.run(index + 1, name, 10 * index + 9, index < 2 ? 'kitchen' : 'outdoors')
  }
  return {
    db,
    folder,
    keys: makeKeys(),
    refused: new Map(),
    notes: [{ id: 1, author: 'carol', text: 'Welcome to the shop' }],
    uploads: new Map(),
    formTokens: new Set(),
  }
}

/** The rows that a statement of the service answers; the text is what the flaw or its mended form made of it. */
export const rows = (state: State, sql: string, ...values: (string | number)[]): Record<string, unknown>[] =>
  state.db.prepare(sql).all(...values)

export function userBy(state: State, column: 'id' | 'name', value: string | number): User | undefined {
  const [row] = rows(state, `select id, name, role, email from users where ${column} = ?`, value)
  if (row === undefined) return undefined
  return { id: Number(row.id), name: String(row.name), role: String(row.role), email: String(row.email) }
}
