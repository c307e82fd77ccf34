// A branch whose commits are deployed one after another, with findings reported on it.

import { run } from './client.ts'
import { emptyTree, newAsset, newDeploy, newWorld } from './world.ts'

const UPSERT = `mutation ($input: CreateOrUpdateSastFindingInput!) { createOrUpdateSastFinding(input: $input) {
  outcome matchedBy previousPlaces { path line }
  issue { id status ... on SastFinding { detail { fileName vulnerableLine firstLine }
    occurrences { branchName path line disposition isOpen } } } } }`

export const commits = [emptyTree, ...['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40))]

/** Each deploy has a diff. */
export async function newBranch() {
  const { companyId, owner } = await newWorld()
  const asset = await newAsset(owner.key, companyId)
  let head = 0
  return {
    companyId,
    key: owner.key,
    deploy: async (diff: string, history?: string) => {
      head += 1
      const extra = { previousCommit: commits[head - 1], currentCommit: commits[head], branchName: 'main' }
      return newDeploy(owner.key, asset.id, diff, extra, history)
    },
    /** Deploys a rollback from the last deployed commit to the one `count` deploys earlier. */
    rollBack: async (diff: string, count = 1) => {
      head -= count
      const extra = { previousCommit: commits[head + count], currentCommit: commits[head], branchName: 'main' }
      return newDeploy(owner.key, asset.id, diff, extra)
    },
    /** Deploys from one commit to another, whatever was deployed before. */
    deployFrom: (previous: number, current: number, diff: string, history?: string) => {
      const extra = { previousCommit: commits[previous], currentCommit: commits[current], branchName: 'main' }
      return newDeploy(owner.key, asset.id, diff, extra, history)
    },
    fork: (diff: string) => {
      const extra = { previousCommit: commits[head], currentCommit: 'e'.repeat(40), branchName: 'feature' }
      return newDeploy(owner.key, asset.id, diff, extra)
    },
    report: async (line: number, more: Record<string, unknown> = {}) => {
      const input = {
        assetId: Number(asset.id),
        title: 'SQL built from input',
        description: 'As it says.',
        codeSnippet: 'query(text)',
        vulnerableLine: line,
        firstLine: line,
        fileName: 'src/a.ts',
        branchName: 'main',
        ...more,
      }
      return (await run(owner.key, UPSERT, { input })).createOrUpdateSastFinding
    },
    ask: (query: string, variables: Record<string, unknown>) => run(owner.key, query, variables),
  }
}

const fileHead = (path: string, oldPath = path) => [
  `diff --git a/${oldPath} b/${path}`,
  `--- a/${oldPath}`,
  `+++ b/${path}`,
]

const lines = (count: number, sign: string) => Array.from({ length: count }, (_, index) => `${sign}line ${index}`)

/** A diff that inserts lines before line `at` of a file. */
export const inserted = (count: number, at = 1, path = 'src/a.ts') =>
  [...fileHead(path), `@@ -${at - 1},0 +${at},${count} @@`, ...lines(count, '+'), ''].join('\n')

/** A diff that replaces `removed` lines from line `at` on with `count` new ones. */
export const replaced = (at: number, removed: number, count: number) => {
  const to = count === 0 ? `${at - 1},0` : `${at},${count}`
  return [
    ...fileHead('src/a.ts'),
    `@@ -${at},${removed} +${to} @@`,
    ...lines(removed, '-'),
    ...lines(count, '+'),
    '',
  ].join('\n')
}

/** A diff that changes an unrelated file. */
export const nothing = [...fileHead('notes.md'), '@@ -0,0 +1 @@', '+one', ''].join('\n')
