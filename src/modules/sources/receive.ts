// Receives a vendor's webhook call: its bytes prove who sent it, a repeated call does nothing, and a job does the work.

import { connectors } from '../../connectors/index.ts'
import { sha256 } from '../../core/crypto.ts'
import { transaction } from '../../core/db/open.ts'
import { enqueue } from '../../core/jobs.ts'
import type { WorkParts } from '../context.ts'
import { findIntegration } from '../integrations/service.ts'
import type { Answer, Delivery, Receiver } from '../types.ts'
import { isFollowed } from './branches.ts'
import { openSecret } from './hooks.ts'
import { FOLLOW_TASK, queueOf } from './jobs-of.ts'
import * as store from './store-hooks.ts'

/** the largest delivery in bytes: HostA sends at most 256 KiB, HostB up to twenty commits with the names of their files */
const LARGEST = 8 * 1024 * 1024

const answer = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

const unknown = answer(404, { error: 'There is nothing at this address' })
// not 401, because a tracker would then stop calling for good
const unproved = answer(403, { error: 'The delivery does not prove where it is from' })

async function findHook({ db }: Pick<WorkParts, 'db'>, params: Record<string, string>) {
  const [, companyId = '', token = ''] = /^([1-9]\d{0,17})-([\w-]{43})$/.exec(params.token ?? '') ?? []
  return token === '' ? null : store.findHookByToken(db, companyId, sha256(token))
}

/** Reads the bodies only of calls to known addresses. */
const admit: Receiver['admit'] = async (parts, { params }) => ((await findHook(parts, params)) ? null : unknown)

const receive: Receiver['receive'] = async (parts, { params, headers, body }: Delivery) => {
  const hook = await findHook(parts, params)
  const companyId = hook?.companyId ?? ''
  const integration = hook && (await findIntegration(parts.db, companyId, hook.integrationId))
  if (!hook || !integration) return unknown
  const { secret } = await openSecret(parts, hook)
  const { source, tracker } = connectors[integration.integrationType]
  const delivery = { headers, body, receivedAt: new Date(parts.vendors.clock.now()) }
  const told = source?.readHook(delivery, secret, hook.isSigned) ?? tracker?.readHook(delivery, secret, hook.isSigned)
  if (!told) {
    parts.log.info({ companyId, hookId: hook.id }, 'A delivery that proves nothing was refused')
    return unproved
  }
  await transaction(parts.db, async (trx) => {
    const fingerprint = told.deliveryId === null ? sha256(body) : sha256(`id ${told.deliveryId}`)
    if (!(await store.takeDelivery(trx, hook, fingerprint))) return
    if (!('moves' in told)) return parts.upward.takeTrackerCall(trx, hook, told)
    const { astScansEnabled, astBranchPattern } = integration.settings
    if (!astScansEnabled || hook.associationId === null) return
    for (const { branch, before, target = branch } of told.moves) {
      if (!isFollowed(astBranchPattern, target)) continue
      const asked = { companyId, id: hook.associationId, branch, before, isTold: true }
      await enqueue(trx, FOLLOW_TASK, asked, undefined, queueOf(asked))
    }
  })
  return answer(200, {})
}

export const receivers: readonly Receiver[] = [{ path: '/hooks/:token', largest: LARGEST, admit, receive }]
