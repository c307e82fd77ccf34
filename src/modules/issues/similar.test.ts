// Which findings are similar to one: by vulnerability, else by weakness, else by rule; open ones of the company alone.

import { expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../test/testkit/findings.ts'
import { newAsset } from '../../../test/testkit/world.ts'

const SIMILAR = `query ($companyId: ID!, $id: ID!, $perPage: Int) {
  issues(companyId: $companyId, filters: { similarTo: $id }, pagination: { perPage: $perPage }) {
    collection { title } metadata { totalCount totalCountIsExact } } }`
const REPORT = `mutation ($input: CreateOrUpdateScaFindingInput!) { createOrUpdateScaFinding(input: $input) { issue { id } } }`
const DECIDE = `mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }`

type Home = Awaited<ReturnType<typeof newHome>>

const similarTo = async ({ key, companyId }: Home, id: string, perPage = 100): Promise<string[]> =>
  (await run(key, SIMILAR, { companyId, id, perPage })).issues.collection.map(({ title }: { title: string }) => title)

let files = 0
const found = async ({ key, assetId }: Home, title: string, more: Record<string, unknown> = {}): Promise<string> =>
  (await upsert(key, sast(assetId, { title, fileName: `src/${files++}.ts`, codeSnippet: `f${files}()`, ...more })))
    .issue.id

test('findings with a weakness in common are similar, whatever tool and asset they are of', async () => {
  const home = await newHome()
  const other = await newAsset(home.key, home.companyId)
  const id = await found(home, 'One', { category: 'CWE-89', patterns: ['CWE-564'] })
  await found(home, 'Same weakness', { category: 'CWE-89', toolName: 'another' })
  await found({ ...home, assetId: Number(other.id) }, 'Elsewhere', { category: 'CWE-564' })
  await found(home, 'Another weakness', { category: 'CWE-79' })

  expect(await similarTo(home, id)).toEqual(['Elsewhere', 'Same weakness'])
})

test('findings that name no weakness are similar by the rule of their tool in their asset', async () => {
  const home = await newHome()
  const other = await newAsset(home.key, home.companyId)
  const id = await found(home, 'One', { ruleId: 'r1', toolName: 'a-scanner' })
  await found(home, 'Two', { ruleId: 'r1', toolName: 'a-scanner' })
  await found(home, 'Of another rule', { ruleId: 'r2', toolName: 'a-scanner' })
  await found(home, 'Of another tool', { ruleId: 'r1', toolName: 'b-scanner' })
  await found({ ...home, assetId: Number(other.id) }, 'Elsewhere', { ruleId: 'r1', toolName: 'a-scanner' })

  expect(await similarTo(home, id)).toEqual(['Two'])
})

test('a vulnerability says more than its weakness: where else it is', async () => {
  const home = await newHome()
  const component = async (title: string, name: string, cve: string) =>
    (
      await run(home.key, REPORT, {
        input: {
          assetId: home.assetId,
          title,
          description: '',
          package: name,
          affectedVersion: '1.0.0',
          cve,
          category: 'CWE-400',
        },
      })
    ).createOrUpdateScaFinding.issue.id
  const id = await component('One', 'left', 'CVE-2026-1001')
  await component('The same elsewhere', 'right', 'CVE-2026-1001')
  await component('Another', 'middle', 'CVE-2026-1002')

  expect(await similarTo(home, id)).toEqual(['The same elsewhere'])
})

test('what is closed is not similar, and a page holds as many as it is asked for', async () => {
  const home = await newHome()
  const id = await found(home, 'One', { category: 'CWE-89' })
  const fixed = await found(home, 'Fixed', { category: 'CWE-89' })
  for (const title of ['a', 'b', 'c']) await found(home, title, { category: 'CWE-89' })
  await run(home.key, DECIDE, { input: { id: fixed, status: 'FIX_ACCEPTED', reason: 'It is gone' } })

  const { issues } = await run(home.key, SIMILAR, { companyId: home.companyId, id, perPage: 2 })

  expect(issues).toEqual({
    collection: [{ title: 'c' }, { title: 'b' }],
    metadata: { totalCount: 3, totalCountIsExact: true },
  })
})

test('a finding of another company is similar to nothing, and nothing of it is similar to others', async () => {
  const [mine, theirs] = [await newHome(), await newHome()]
  const id = await found(mine, 'Mine', { category: 'CWE-89' })
  const foreign = await found(theirs, 'Theirs', { category: 'CWE-89' })

  expect([await similarTo(mine, id), await similarTo(mine, foreign), await similarTo(mine, '2147483646')]).toEqual([
    [],
    [],
    [],
  ])
})
