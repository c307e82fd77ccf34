// Webhooks of Bitbucket: one for each repository, proved by X-Hub-Signature over the bytes as they came.

import { hmac } from '../../core/crypto.ts'
import { VendorRefused } from '../errors.ts'
import { jsonOrNone } from '../http-answers.ts'
import { walkNext } from '../pages.ts'
import { at } from '../paths.ts'
import { isSameSecret } from '../proof.ts'
import type { BranchMove, SourceHost } from '../source-host.ts'
import { branchOfFork } from './forks.ts'
import { repositoryPath } from './naming.ts'
import { hook, opened, pageOf, pushed } from './schemas.ts'

const UPDATED = 'pullrequest:updated'
const EVENTS = ['repo:push', 'pullrequest:created', UPDATED]

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

/** The signature covers only the body, so no header can identify a second delivery of the same event. */
export const readHook: SourceHost['readHook'] = ({ headers, body }, secret) => {
  const wanted = `sha256=${hmac(Buffer.from(secret), body).toString('hex')}`
  if (!isSameSecret(headers['x-hub-signature'] ?? '', wanted)) return null
  return { deliveryId: null, moves: movesOf(body, headers['x-event-key'] === UPDATED) }
}

/** `isUpdate`: the pull request existed before; new commits of our own branches are announced by their push. */
function movesOf(body: Uint8Array, isUpdate: boolean): BranchMove[] {
  const told = jsonOrNone(body)
  const push = pushed.safeParse(told)
  if (push.success) {
    return push.data.push.changes.flatMap(({ new: after, old }) =>
      after?.type === 'branch'
        ? [{ branch: after.name, before: old?.target.hash ?? null, after: after.target.hash }]
        : [],
    )
  }
  const { repository, pullrequest } = opened.safeParse(told).data ?? {}
  if (!repository || !pullrequest?.source.commit) return []
  const { id, source, destination } = pullrequest
  const move = { before: null, after: pullrequest.source.commit.hash }
  if (source.repository?.uuid === repository.uuid) return isUpdate ? [] : [{ ...move, branch: source.branch.name }]
  return id && destination ? [{ ...move, branch: branchOfFork(id), target: destination.branch.name }] : []
}
