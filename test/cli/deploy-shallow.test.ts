// `merlon deploy create` in a clone that lacks older commits, as pipelines make it by default.

import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newAsset, newWorld } from '../testkit/world.ts'
import { merlon, merlonJson } from './command.ts'
import { newRepository, type Repository } from './repository.ts'

/** A new clone, as a pipeline makes one for each run. */
function cloneOf({ directory }: Repository, ...words: string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'merlon-clone-'))
  const git = (...more: string[]) => execFileSync('git', more, { cwd, encoding: 'utf8' }).trim()
  git('clone', '--quiet', ...words, `file://${directory}`, '.')
  return { cwd, git }
}

async function newOrigin() {
  const { owner, companyId } = await newWorld()
  await newAsset(owner.key, companyId)
  const origin = newRepository()
  origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  return { origin, key: owner.key, first: origin.commit({ 'a.ts': 'one\n' }) }
}

const short = (commit: string) => commit.slice(0, 10)

test('the first deploy of a shallow clone sends all files, and the next one says which commit is missing and how to get it', async () => {
  const { origin, key, first } = await newOrigin()
  const all = await merlonJson(['deploy', 'create'], { key, cwd: cloneOf(origin, '--depth', '1').cwd })
  const second = origin.commit({ 'a.ts': 'one\ntwo\n' })
  const { cwd, git } = cloneOf(origin, '--depth', '1')

  const refused = await merlon(['deploy', 'create'], { key, cwd })
  const named = await merlon(['deploy', 'create', '--from', first], { key, cwd })
  git('fetch', '--quiet', '--depth', '1', 'origin', first)
  const made = await merlonJson(['deploy', 'create', '--from', first], { key, cwd })

  expect(all).toMatchObject({ currentCommit: first, files: 1, added: 1 })
  expect(refused).toMatchObject({
    code: 2,
    out: '',
    err: `This shallow clone lacks ${short(first)}, where main stands: run git fetch --unshallow first, or git fetch --depth 1 origin ${first} and say --from ${first}\n`,
  })
  expect(named.err).toBe(`This repository has no commit ${first}: it is a shallow clone, which lacks older commits\n`)
  expect(made).toMatchObject({ previousCommit: first, currentCommit: second, lineage: 'FOLLOWS', added: 1, removed: 0 })
})

test('a clone that is deep enough deploys from where the branch stands, without a word', async () => {
  const { origin, key, first } = await newOrigin()
  await merlonJson(['deploy', 'create'], { key, cwd: origin.directory })
  origin.commit({ 'a.ts': 'one\ntwo\n' })
  const third = origin.commit({ 'a.ts': 'one\ntwo\nthree\n' })

  const { code, err } = await merlon(['deploy', 'create'], { key, cwd: cloneOf(origin, '--depth', '3').cwd })
  const [made] = await merlonJson(['deploy', 'list'], { key, cwd: origin.directory })

  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(made).toMatchObject({ previousCommit: first, currentCommit: third, lineage: 'FOLLOWS' })
})

test('a clone that lacks a commit that was amended deploys from the one before, and says so', async () => {
  const { origin, key, first } = await newOrigin()
  await merlonJson(['deploy', 'create'], { key, cwd: origin.directory })
  const second = origin.commit({ 'a.ts': 'one\ntwo\n' })
  await merlonJson(['deploy', 'create'], { key, cwd: origin.directory })
  origin.git('commit', '--quiet', '--amend', '--message', 'Another change')
  const { cwd, git } = cloneOf(origin)

  const warned = await merlon(['deploy', 'create'], { key, cwd })
  origin.git('commit', '--quiet', '--amend', '--message', 'Yet another change')
  const later = cloneOf(origin)
  later.git('fetch', '--quiet', 'origin', git('rev-parse', 'HEAD'))
  const silent = await merlon(['deploy', 'create'], { key, cwd: later.cwd })

  expect(warned).toMatchObject({
    code: 0,
    err: `This repository lacks ${short(second)}, where main stands: the deploy starts from ${short(first)}, and findings are matched by their code alone. To start there, run git fetch origin ${second} first\n`,
  })
  expect(silent).toMatchObject({ code: 0, err: '' })
})
