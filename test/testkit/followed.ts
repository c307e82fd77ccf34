// An asset linked to a repository of HostB, whose pushes become deploys, with functions to read those deploys.

import { vi } from 'vitest'
import { askAt } from './asking.ts'
import { type Data, run } from './client.ts'
import { HOST_B, saved } from './integrations.ts'
import { startSourceHost } from './source-host.ts'
import { newAsset, newWorld } from './world.ts'

export const ASSOCIATE = `mutation ($input: AssociateProjectInput!) { associateProject(input: $input) {
  associatedProject { id externalProjectId name isSource watch lookedAt lastDeliveryAt failure asset { id } integration { id } }
  webhook { url secret token events } } }`
export const DEPLOYS = `query ($id: ID!) { deploysByAsset(assetId: $id, limit: 50) { collection {
  id branchName previousCommit currentCommit diffState files lineage createdBy { email } } } }`

/** Reads the asset's deploys, and waits for the deploy of one commit. */
export function deploysOf(key: string, assetId: string) {
  const deploys = async (): Promise<Data[]> => (await run(key, DEPLOYS, { id: assetId })).deploysByAsset.collection
  const deployed = (commit: string) =>
    vi.waitFor(
      async () => {
        const found = (await deploys()).find(({ currentCommit }) => currentCommit === commit)
        if (!found) throw new Error(`no deploy of ${commit}`)
        return found
      },
      { timeout: 60_000, interval: 50 },
    )
  return { deploys, deployed }
}

/** `url` is the address of the service that follows the repository, which it does once the two are associated. */
export async function newFollowed(
  url: string,
  settings: Record<string, unknown> = {},
  host: Parameters<typeof startSourceHost>[0] = {},
) {
  const { companyId, owner } = await newWorld()
  const fake = await startSourceHost(host)
  const first = fake.push('main')
  const { id: assetId } = await newAsset(owner.key, companyId)
  const given = { companyId, instanceUrl: fake.origin, personalToken: 'token', astScansEnabled: true, ...settings }
  const { id: integrationId } = await saved(owner.key, HOST_B, given)
  const input = { assetId, integrationId, externalProjectId: '1' }
  const associate = () => askAt(url, owner.key, ASSOCIATE, { input })
  return { companyId, key: owner.key, assetId, integrationId, fake, first, associate, ...deploysOf(owner.key, assetId) }
}

/**
 * Associates until the host has a webhook. Repeating the request retries, in case a busy machine let the first attempt
 * time out.
 */
export function hooked({ fake, associate }: Pick<Awaited<ReturnType<typeof newFollowed>>, 'fake' | 'associate'>) {
  const once = async () => {
    const answer = await associate()
    if (fake.hooks.length === 0) throw new Error(answer.associateProject.associatedProject.failure)
    return answer
  }
  return vi.waitFor(once, { timeout: 60_000, interval: 500 })
}

type Delivery = { path: string; headers: Record<string, string>; body: string }

/** Calls the service as the host does, and resolves to the status. */
export const deliverTo = async (url: string, { path, headers, body }: Delivery): Promise<number> =>
  (await fetch(url + path, { method: 'POST', headers, body })).status
