// Findings that tests report through the endpoint.

import { run } from './client.ts'
import { newAsset, newWorld } from './world.ts'

export const UPSERT = `mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) {
  clientMutationId outcome matchedBy previousPlaces { path line }
  issue { id title status description severity cvssScore
    ... on SastFinding { toolName rule cweIds detail { fileName vulnerableLine firstLine codeSnippet }
      occurrences { branchName path line commit } history { action kind previousStatus status } } } } }`
export const newHome = async () => {
  const world = await newWorld()
  const asset = await newAsset(world.owner.key, world.companyId)
  return { ...world, assetId: Number(asset.id), key: world.owner.key }
}

export const decide = (key: string, id: string, status: string, reason = 'Looked at') =>
  run(key, 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }', {
    input: { id, status, reason },
  })

export const sast = (assetId: number, more: Record<string, unknown> = {}) => ({
  assetId,
  title: 'SQL built from input',
  description: 'The query is put together from what the caller sends.',
  codeSnippet: 'db.query("select " + name)',
  vulnerableLine: 10,
  firstLine: 10,
  fileName: 'src/users.ts',
  ...more,
})

export const upsert = async (key: string, input: Record<string, unknown>) =>
  (await run(key, UPSERT, { input })).createOrUpdateSastFinding
