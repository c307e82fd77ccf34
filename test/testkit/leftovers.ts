// Before each test file: drops the jobs that the previous file left waiting, which the next worker would otherwise run first.

import pg from 'pg'
import { home } from './home.ts'

const client = new pg.Client(home().connection)
await client.connect()
await client.query('delete from graphile_worker._private_jobs; delete from outbox').finally(() => client.end())
