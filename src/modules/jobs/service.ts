// Jobs, for administrators of the installation: the worker's queue, and retrying jobs that it gave up.

import { transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorizeAdministrator } from '../access/service.ts'
import type { Context } from '../context.ts'
import { findJob, type Job, type JobState, listJobs as list, rescheduleJob } from './store.ts'

export { countJobs, findOverdue } from './store.ts'

export async function listJobs(
  context: Context,
  states: readonly JobState[] | null,
  task: string | null,
  page: PageRequest,
): Promise<Page<Job>> {
  authorizeAdministrator(context, 'jobs:read')
  return list(context.db, states, task, page)
}

/** Makes a job run at once and resets its count of attempts. CONFLICT if it is running, NOT_FOUND if it is gone. */
export async function retryJob(context: Context, id: Id): Promise<Job> {
  authorizeAdministrator(context, 'jobs:retry')
  return transaction(context.db, async (trx) => {
    const before = await findJob(trx, id)
    if (before === null) throw notFound('Job', id)
    if (!(await rescheduleJob(trx, id))) throw conflict('The job is running', true)
    const after = await findJob(trx, id)
    if (after === null) throw notFound('Job', id)
    const { task, attempts } = before
    await audit(trx, context, { companyId: null, object: `Job ${id}`, before: { task, attempts } })
    return after
  })
}
