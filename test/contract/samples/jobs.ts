// Creates a job in the queue that no worker runs.

import { sql } from 'kysely'
import { services } from '../../testkit/service.ts'

/** Resolves to the job's id. */
export async function newWaitingJob(): Promise<string> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ id: string }>`select id from graphile_worker.add_job('a task of a test')`.execute(
    service.app.db,
  )
  return rows[0]?.id ?? ''
}
