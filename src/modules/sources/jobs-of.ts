// The names of the jobs that follow repositories, and how they are enqueued and their payloads read.

import { z } from 'zod'
import type { Trx } from '../../core/db/open.ts'
import { type Id, isId } from '../../core/ids.ts'
import { enqueue, enqueueIn } from '../../core/jobs.ts'

export const FOLLOW_TASK = 'follow-branch'
export const LOOK_TASK = 'look-at-repository'
export const REPORT_TASK = 'tell-host-of-deploy'
/** also enqueued by a database trigger, in the transaction that deletes a hook */
export const UNHOOK_TASK = 'take-hook-away'

const id = z.string().refine(isId)

/** `isTold`: the host reported that the branch moved, so that there may be a new pull request to report the verdict to. */
export const followAsked = z.object({
  companyId: id,
  id,
  branch: z.string(),
  before: z.string().nullable(),
  isTold: z.boolean(),
})
export type FollowAsked = z.output<typeof followAsked>

/** The queue in which one repository's branches are followed one after another. */
export const queueOf = ({ companyId, id }: { companyId: Id; id: Id }) => `repository ${companyId}/${id}`

export const askLook = (trx: Trx, { companyId, id }: { companyId: Id; id: Id }): Promise<void> =>
  enqueue(trx, LOOK_TASK, { companyId, id }, `look ${companyId}/${id}`)

/** Does nothing if such a job is waiting already. */
export const askUnhook = (trx: Trx, { companyId, id, integrationId }: { companyId: Id; id: Id; integrationId: Id }) =>
  enqueueIn(
    trx,
    0,
    UNHOOK_TASK,
    { companyId, id },
    `take-hook-away ${companyId}/${id}`,
    `departed hooks ${companyId}/${integrationId}`,
  )

/** Seconds for which verdicts on a deploy are collected before the latest is reported to the host. */
const BEFORE_TELLING = 2

export const askReport = (trx: Trx, companyId: Id, deployId: Id): Promise<void> =>
  enqueueIn(trx, BEFORE_TELLING, REPORT_TASK, { companyId, id: deployId }, `tell host ${companyId}/${deployId}`)
