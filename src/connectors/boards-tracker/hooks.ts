// Service hooks of Azure DevOps: how we subscribe, and whether a delivery proves that it knows the secret.

import { VendorRefused } from '../errors.ts'
import { jsonOrNone } from '../http-answers.ts'
import { at } from '../paths.ts'
import { isSameSecret } from '../proof.ts'
import type { Session } from '../session.ts'
import type { HookEvent, Tracker } from '../tracker.ts'
import { organizationOf, versioned } from './places.ts'
import { hookBody, listOf, subscription } from './schemas.ts'

/** The vendor authenticates its calls by Basic authentication with a name and password that we chose. */
const USER = 'merlon'
const EVENTS = ['workitem.updated', 'workitem.deleted'] as const

export const ensureHook: Tracker['ensureHook'] = async (session, { projectId, url, secret }) => {
  const path = at`/${organizationOf(session)}/_apis/hooks/subscriptions`
  try {
    const query = { ...versioned, publisherId: 'tfs', consumerId: 'webHooks' }
    const known = (await session.client.get(path, listOf(subscription), { query })).filter(
      ({ consumerInputs, publisherInputs }) =>
        consumerInputs?.url === url && (projectId === null || publisherInputs?.projectId === projectId),
    )
    const ids: string[] = []
    for (const eventType of EVENTS) {
      const there = known.find((one) => one.eventType === eventType)
      ids.push(there?.id ?? (await subscribe(session, path, eventType, projectId, url, secret)))
    }
    return { hookId: ids.join(','), isSigned: true }
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'PERMISSION') return null
    throw error
  }
}

async function subscribe(
  session: Session,
  path: ReturnType<typeof at>,
  eventType: string,
  projectId: string | null,
  url: string,
  secret: string,
): Promise<string> {
  const asked = {
    publisherId: 'tfs',
    eventType,
    resourceVersion: '1.0',
    consumerId: 'webHooks',
    consumerActionId: 'httpRequest',
    publisherInputs: projectId === null ? {} : { projectId },
    consumerInputs: { url, basicAuthUsername: USER, basicAuthPassword: secret },
  }
  return (await session.client.post(path, asked, subscription, { query: versioned })).id
}

export const removeHook: Tracker['removeHook'] = async (session, { hookId }) => {
  for (const id of hookId.split(',')) {
    await session.client
      .delete(at`/${organizationOf(session)}/_apis/hooks/subscriptions/${id}`, { query: versioned })
      .catch((error: unknown) => {
        if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
      })
  }
}

export const readHook: Tracker['readHook'] = ({ headers, body }, secret): HookEvent | null => {
  const wanted = `Basic ${Buffer.from(`${USER}:${secret}`).toString('base64')}`
  if (!isSameSecret(headers.authorization ?? '', wanted)) return null
  const nothing = {
    deliveryId: null,
    project: null,
    state: null,
    revision: null,
    actor: null,
  }
  const read = hookBody.safeParse(jsonOrNone(body))
  if (!read.success) return { ...nothing, kind: 'OTHER', item: null }
  const { id, eventType, resource, resourceContainers } = read.data
  const isUpdate = eventType === 'workitem.updated'
  const item = (isUpdate ? resource?.workItemId : resource?.id) ?? null
  const fields = (isUpdate ? resource?.revision?.fields : resource?.fields) ?? {}
  const state = fields['System.State']
  return {
    ...nothing,
    deliveryId: id ?? null,
    kind:
      item === null ? 'OTHER' : eventType === 'workitem.deleted' ? 'ITEM_DELETED' : isUpdate ? 'ITEM_CHANGED' : 'OTHER',
    project: resourceContainers?.project?.id ?? null,
    item: item === null ? null : String(item),
    state: typeof state === 'string' ? state : null,
    revision: resource?.rev ? String(resource.rev) : null,
    actor: resource?.revisedBy ?? null,
  }
}
