// Webhooks of ClickUp: how they are registered, and whether a delivery proves that it knows the secret.

import { hmac } from '../../core/crypto.ts'
import { VendorRefused } from '../errors.ts'
import { jsonOrNone } from '../http-answers.ts'
import { at } from '../paths.ts'
import { isSameSecret } from '../proof.ts'
import type { HookEvent, Tracker } from '../tracker.ts'
import { workspacesOf } from './places.ts'
import { hookBody, madeWebhook, webhooks } from './schemas.ts'

const EVENTS = ['taskStatusUpdated', 'taskDeleted', 'taskMoved']

/**
 * The vendor makes the secret; it is answered in `secret` and is the one to be kept. A hook is of one workspace and has a secret of its
 * own, of which one is kept: where the credential sees several and none is set, none is made, and one of before is taken away.
 */
export const ensureHook: Tracker['ensureHook'] = async (session, { projectId, url }) => {
  const { client } = session
  try {
    const [workspace, ...others] = await workspacesOf(session)
    if (workspace === undefined) return null
    const ours = async (one: string) =>
      (await client.get(at`/team/${one}/webhook`, webhooks)).filter(({ endpoint }) => endpoint === url)
    if (others.length > 0) {
      for (const one of [workspace, ...others]) {
        for (const { id } of await ours(one)) await removeHook(session, { projectId, hookId: id })
      }
      return null
    }
    const known = (await ours(workspace)).find(({ list_id }) => projectId === null || list_id === projectId)
    if (known) {
      const asked = { endpoint: url, events: '*', status: 'active' }
      // after too many failures the vendor suspends it until it is activated again
      if (known.health && known.health.status !== 'active') await client.put(at`/webhook/${known.id}`, asked, null)
      return { hookId: known.id, isSigned: true, secret: known.secret ?? null }
    }
    const asked = { endpoint: url, events: EVENTS, ...(projectId !== null && { list_id: Number(projectId) }) }
    const made = await client.post(at`/team/${workspace}/webhook`, asked, madeWebhook)
    return { hookId: made.id, isSigned: true, secret: made.secret ?? null }
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'PERMISSION') return null
    throw error
  }
}

export const removeHook: Tracker['removeHook'] = async ({ client }, { hookId }) => {
  await client.delete(at`/webhook/${hookId}`).catch((error: unknown) => {
    if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
  })
}

export const readHook: Tracker['readHook'] = ({ headers, body }, secret): HookEvent | null => {
  if (!isSameSecret(headers['x-signature'] ?? '', hmac(Buffer.from(secret), body).toString('hex'))) return null
  const nothing = { project: null, revision: null }
  const read = hookBody.safeParse(jsonOrNone(body))
  if (!read.success) return { ...nothing, kind: 'OTHER', deliveryId: null, item: null, state: null, actor: null }
  const { event, task_id: item = null, webhook_id, history_items } = read.data
  const [last] = history_items ?? []
  const after = last?.after
  const isState = typeof after === 'object' && after !== null && 'status' in after
  return {
    ...nothing,
    deliveryId: last?.id ? `${webhook_id ?? ''}/${last.id}` : null,
    kind: !item ? 'OTHER' : event === 'taskDeleted' ? 'ITEM_DELETED' : 'ITEM_CHANGED',
    item: item ?? null,
    state: isState && typeof after.status === 'string' ? after.status : null,
    actor: last?.user?.username ?? null,
  }
}
