// Before each test file: drops the jobs that the previous file left waiting, which the next worker would otherwise run first.

import pg from 'pg'
import { home } from './home.ts'

const client = new pg.Client(home().connection)
await client.connect()
// one after the other: a relay that is still ending holds events while it waits for their jobs
for (const table of ['outbox', 'graphile_worker._private_jobs']) await client.query(`delete from ${table}`)
await client.end()
