// A database for one test file, on the same server as its worker's.

import { randomBytes } from 'node:crypto'
import pg, { type PoolConfig } from 'pg'
import { home } from './home.ts'

/** Chooses a name; `create` creates the database empty, with such options, and `drop` drops it. */
export function ownDatabase(prefix: string): {
  connection: () => PoolConfig
  create: (options?: string) => Promise<void>
  drop: () => Promise<void>
} {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  return {
    connection() {
      const { connectionString, ...connection } = home().connection
      if (connectionString === undefined) return { ...connection, database: name }
      const url = new URL(connectionString)
      url.pathname = `/${name}`
      return { connectionString: url.href }
    },
    create: (options = '') => beside(`create database ${name} ${options}`),
    drop: () => beside(`drop database ${name}`),
  }
}

async function beside(statement: string): Promise<void> {
  const client = new pg.Client(home().connection)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
