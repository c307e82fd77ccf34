// Before each file of tests: what the one before it left waiting is dropped, or the next worker would have to do it first.

import pg from 'pg'
import { home } from './home.ts'

const client = new pg.Client(home().connection)
await client.connect()
await client.query('delete from graphile_worker._private_jobs; delete from outbox').finally(() => client.end())
