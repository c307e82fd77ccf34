// Webhooks of GitLab: one for each project, signed (Standard Webhooks) where the instance supports it, else proved by its token.

import { z } from 'zod'
import { hmac } from '../../core/crypto.ts'
import { VendorRefused } from '../errors.ts'
import type { HookDelivery } from '../hooks.ts'
import { jsonOrNone } from '../http-answers.ts'
import { walkLinks } from '../pages.ts'
import { at } from '../paths.ts'
import { isSameSecret } from '../proof.ts'
import type { BranchMove, SourceHost } from '../source-host.ts'
import { branchOfFork } from './forks.ts'
import { hook, opened, pushed } from './schemas.ts'

/** Milliseconds by which a delivery's time may differ from ours. */
const TOLERANCE = 300_000

const hooks = z.array(hook)

/** The token is sent with each delivery, so it must not be the signing key. */
const tokenOf = (secret: string): string => hmac(Buffer.from(secret), 'token').toString('hex')

/** `secret` is 32 bytes in base64. */
export const ensureHook: SourceHost['ensureHook'] = async ({ client }, { projectId, url, secret }) => {
  const path = at`/projects/${projectId ?? ''}/hooks`
  const wanted = {
    url,
    push_events: true,
    merge_requests_events: true,
    enable_ssl_verification: true,
    token: tokenOf(secret),
    signing_token: `whsec_${secret}`,
  }
  try {
    for await (const page of walkLinks(client, { path, query: { per_page: 100 } }, hooks)) {
      const known = page.find((found) => found.url === url)
      if (!known) continue
      const changed = await client.put(at`/projects/${projectId ?? ''}/hooks/${known.id}`, wanted, hook)
      return { hookId: changed.id, isSigned: changed.isSigned }
    }
    const made = await client.post(path, wanted, hook)
    return { hookId: made.id, isSigned: made.isSigned }
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'PERMISSION') return null
    throw error
  }
}

export const removeHook: SourceHost['removeHook'] = async ({ client }, { projectId, hookId }) => {
  await client.delete(at`/projects/${projectId ?? ''}/hooks/${hookId}`).catch((error: unknown) => {
    if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
  })
}

export const hookByHand: SourceHost['hookByHand'] = (secret) => ({
  secret: `whsec_${secret}`,
  token: tokenOf(secret),
  events: ['Push events', 'Merge request events'],
})

/** A hook that was registered with a signing key must sign; only then are the time and the id proved. */
export const readHook: SourceHost['readHook'] = (delivery, secret, isSigned) => {
  if (isSigned || delivery.headers['webhook-signature'] !== undefined) {
    if (!isProved(delivery, secret)) return null
    return { deliveryId: delivery.headers['webhook-id'] ?? null, moves: movesOf(delivery.body) }
  }
  if (!isSameSecret(delivery.headers['x-gitlab-token'] ?? '', tokenOf(secret))) return null
  return { deliveryId: null, moves: movesOf(delivery.body) }
}

/** Standard Webhooks 1.0.0: base64 of HMAC-SHA256 over `id.timestamp.body`; any of several signatures counts. */
function isProved({ headers, body, receivedAt }: HookDelivery, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at = '', 'webhook-signature': signatures = '' } = headers
  if (!id || !/^\d{1,12}$/.test(at)) return false
  if (Math.abs(receivedAt.getTime() - Number(at) * 1000) > TOLERANCE) return false
  const wanted = hmac(Buffer.from(secret, 'base64'), Buffer.concat([Buffer.from(`${id}.${at}.`), body]))
  return signatures.split(' ').some((given) => isSameSecret(given, `v1,${wanted.toString('base64')}`))
}

const GONE = /^0+$/

function movesOf(body: Uint8Array): BranchMove[] {
  const told = jsonOrNone(body)
  const push = pushed.safeParse(told).data
  if (push) {
    const { ref, before, after } = push
    if (!ref.startsWith('refs/heads/') || GONE.test(after)) return []
    return [{ branch: ref.slice('refs/heads/'.length), before: GONE.test(before) ? null : before, after }]
  }
  const { object_attributes: request } = opened.safeParse(told).data ?? {}
  if (!request) return []
  const { action, iid, oldrev, source_branch, target_branch, last_commit } = request
  const isOpened = action === 'open' || action === 'reopen'
  const move = { before: null, after: last_commit.id }
  if (request.source_project_id === request.target_project_id) {
    return isOpened ? [{ ...move, branch: source_branch }] : []
  }
  // a fork's own project announces its pushes, and has no webhook of ours
  const hasCommits = isOpened || (action === 'update' && Boolean(oldrev))
  return hasCommits && iid && target_branch ? [{ ...move, branch: branchOfFork(iid), target: target_branch }] : []
}
