// Webhooks of Bitbucket: one for each repository, proved by X-Hub-Signature over the bytes as they came.

import { hmac } from '../../core/crypto.ts'
import { VendorRefused } from '../errors.ts'
import { readJson } from '../http-answers.ts'
import { walkNext } from '../pages.ts'
import { at } from '../paths.ts'
import { isSameSecret } from '../proof.ts'
import type { SourceEvent, SourceHost } from '../types.ts'
import { NAME, repositoryPath } from './repositories.ts'
import { hook, opened, pageOf, pushed } from './schemas.ts'

const EVENTS = ['repo:push', 'pullrequest:created']

const hooks = pageOf(hook)

export const ensureHook: SourceHost['ensureHook'] = async ({ client }, { projectId, url, secret }) => {
  const { workspace, uuid } = repositoryPath(projectId ?? '')
  const path = at`/repositories/${workspace}/${uuid}/hooks`
  const wanted = { description: 'Merlon', url, active: true, events: EVENTS, secret }
  try {
    for await (const { values } of walkNext(client, { path, query: { pagelen: 100 } }, hooks, ({ next }) => next)) {
      const known = values.find((found) => found.url === url)
      if (!known) continue
      await client.put(at`/repositories/${workspace}/${uuid}/hooks/${known.uuid}`, wanted, null)
      return { hookId: known.uuid, isSigned: true }
    }
    const made = await client.post(path, wanted, hook)
    return { hookId: made.uuid, isSigned: true }
  } catch (error) {
    if (error instanceof VendorRefused && error.kind === 'PERMISSION') return null
    throw error
  }
}

export const removeHook: SourceHost['removeHook'] = async ({ client }, { projectId, hookId }) => {
  const { workspace, uuid } = repositoryPath(projectId ?? '')
  await client.delete(at`/repositories/${workspace}/${uuid}/hooks/${hookId}`).catch((error: unknown) => {
    if (!(error instanceof VendorRefused) || error.kind !== 'MISSING') throw error
  })
}

export const hookByHand: SourceHost['hookByHand'] = (secret) => ({ secret, token: null, events: EVENTS })

/** The proof covers the body alone, so that no header tells a delivery from a second one of the same event. */
export const readHook: SourceHost['readHook'] = ({ headers, body }, secret) => {
  const wanted = `sha256=${hmac(Buffer.from(secret), body).toString('hex')}`
  if (!isSameSecret(headers['x-hub-signature'] ?? '', wanted)) return null
  return { deliveryId: null, ...toldBy(body) }
}

function toldBy(body: Uint8Array): Omit<SourceEvent, 'deliveryId'> {
  const told = readTold(body)
  const push = pushed.safeParse(told)
  if (push.success) {
    const moves = push.data.push.changes.flatMap(({ new: after, old }) =>
      after?.type === 'branch'
        ? [{ branch: after.name, before: old?.target.hash ?? null, after: after.target.hash }]
        : [],
    )
    return { moves }
  }
  const { repository, pullrequest } = opened.safeParse(told).data ?? {}
  if (!repository || !pullrequest) return { moves: [] }
  const { source, destination, id } = pullrequest
  if (source.repository?.uuid !== repository.uuid) {
    const reason = `Pull request ${id ?? ''} comes from a fork and is not judged: ${NAME} describes no comparison with its commits`
    return { moves: [], refused: destination ? [{ target: destination.branch.name, reason }] : [] }
  }
  return { moves: source.commit ? [{ branch: source.branch.name, before: null, after: source.commit.hash }] : [] }
}

function readTold(body: Uint8Array): unknown {
  try {
    return readJson(Buffer.from(body))
  } catch {
    return null
  }
}
