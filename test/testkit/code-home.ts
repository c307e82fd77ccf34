// An asset with a real repository, its findings, and the effect of deploys on them.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Data, run } from './client.ts'
import { newAsset, newDeploy, newIssue, newWorld } from './world.ts'

/** A repository that is deleted with its test. A commit writes the lines of the named files; null deletes one. */
function newRepository() {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-carry-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', directory, '-c', 'user.name=A', '-c', 'user.email=a@example.test', ...args], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
  git('init', '-q')
  return {
    commit(files: Record<string, string[] | null>): string {
      for (const [path, lines] of Object.entries(files)) {
        const target = join(directory, path)
        mkdirSync(dirname(target), { recursive: true })
        if (lines === null) rmSync(target)
        else writeFileSync(target, `${lines.join('\n')}\n`)
      }
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'A change')
      return git('rev-parse', 'HEAD').trim()
    },
    diff: (from: string, to: string) => git('diff', '-M', from, to),
    log: (from: string, to: string) => git('log', '-p', '-M', `${from}..${to}`),
  }
}

export const lines = (name: string, count = 20): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

export const without = (all: string[], ...numbers: number[]) => all.filter((_, index) => !numbers.includes(index + 1))

export const changed = (all: string[], number: number, text = 'changed') =>
  all.map((line, index) => (index + 1 === number ? text : line))

/** Like newHome, with a repository and a function to report findings. */
export async function newCodeHome() {
  const { companyId, owner } = await newWorld()
  const { id: assetId } = await newAsset(owner.key, companyId)
  const finding = async (fileName: string, vulnerableLine: number, extra: Record<string, unknown> = {}) =>
    (await newIssue(owner.key, assetId, { fileName, vulnerableLine, firstLine: vulnerableLine, ...extra })).id
  return { key: owner.key, companyId, assetId, finding, repository: newRepository() }
}

export type CodeHome = Awaited<ReturnType<typeof newCodeHome>>

export const deployed = (
  { key, assetId }: CodeHome,
  diff: string,
  previousCommit: string,
  currentCommit: string,
  branchName?: string,
  history?: string,
) => newDeploy(key, assetId, diff, { previousCommit, currentCommit, branchName }, history)

/** Path, line and disposition of each finding on a branch; null if it is not on that branch. */
export async function placesOf({ key }: CodeHome, issueIds: string[], branchName: string | null = null) {
  const fields =
    'occurrences { branchName path line commit disposition isOpen } places { path line disposition deployId }'
  const found: Record<string, Data> = {}
  for (const id of issueIds) {
    const { issue } = await run(key, `query ($id: ID!) { issue(id: $id) { status ${fields} } }`, { id })
    const here = issue.occurrences.find((each: Data) => each.branchName === branchName)
    found[id] = here ? [here.path, here.line, here.disposition] : null
  }
  return issueIds.map((id) => found[id])
}

/** What a deploy reports that it did to each finding. */
export const said = async ({ key }: CodeHome, deployId: string, issueIds: string[]) =>
  Promise.all(
    issueIds.map(async (issueId) => {
      const query = 'query ($id: ID!, $issueId: ID!) { deploy(id: $id) { disposition(issueId: $issueId) } }'
      return (await run(key, query, { id: deployId, issueId })).deploy.disposition
    }),
  )

export const lineageOf = async ({ key }: CodeHome, id: string) =>
  (await run(key, 'query ($id: ID!) { deploy(id: $id) { lineage isCarried } }', { id })).deploy
