// What a preview of an identity rule foretells, compared with what the rule does with the same random history from its beginning.

import { expect, test } from 'vitest'
import { run } from '../../../../test/testkit/client.ts'
import { imported, newReportHome, type ReportHome, result, sarif } from '../../../../test/testkit/reports.ts'
import { compareReplays } from './compare-replays.ts'

/** Each takes a second; the same ones every time, because their number is their seed. */
const HISTORIES = 12
const AT_ONCE = 4

const all = ['TOOL_ID', 'FINGERPRINT', 'PLACE', 'SNIPPET', 'CONTEXT', 'RULE'] as const

type Item = { rule: string; title: string; file: string; line: number; code: number; fingerprint: string }

type History = { reports: readonly Item[][]; fields: string[]; hasFingerprints: boolean; closeAbsent: boolean }

/** Findings that move, change their code, are renamed and are missing at random, and a random rule. */
function historyOf(seed: number): History {
  const { below, chance } = randomOf(seed)
  let made = 0
  const fingerprint = () => `f${++made}`
  const file = () => `src/${'abc'[below(3)]}.js`
  const items = Array.from(
    { length: 3 + below(10) },
    (): Item => ({
      rule: chance(0.7) ? 'eval' : 'exec',
      title: `Title ${below(4)}`,
      file: file(),
      line: 1 + below(40),
      code: below(6),
      fingerprint: fingerprint(),
    }),
  )
  const hasFingerprints = chance(0.8)
  const reports = Array.from({ length: 3 + below(3) }, (_, at) => {
    if (at === 0) return items.map((item) => ({ ...item }))
    for (const item of items) {
      if (chance(0.2)) item.line = Math.max(1, item.line + below(9) - 4)
      if (chance(0.06)) item.file = file()
      if (chance(0.08)) item.code = below(6)
      if (chance(0.2)) item.fingerprint = fingerprint()
      if (chance(0.05)) item.title = `Title ${below(4)}`
    }
    return items.filter(() => !chance(0.1)).map((item) => ({ ...item }))
  })
  const fields: string[] = all.filter((field) => chance(field === 'SNIPPET' ? 0.5 : 0.65))
  if (!fields.some((field) => field !== 'RULE')) fields.push('PLACE')
  return { reports: reports.filter(({ length }) => length > 0), fields, hasFingerprints, closeAbsent: chance(0.5) }
}

function randomOf(seed: number) {
  let state = seed * 7919 + 13
  const next = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  return { below: (most: number) => Math.floor(next() * most), chance: (share: number) => next() < share }
}

const reportOf = (items: readonly Item[], hasFingerprints: boolean): string =>
  sarif(
    items.map(({ rule, title, file, line, code, fingerprint }) => {
      const more = { ruleId: rule, message: { text: title } }
      return result(code, hasFingerprints ? { ...more, fingerprints: { id: fingerprint } } : more, file, line)
    }),
  )

/** For each row of each report, the number of the issue that it became. */
async function issuesOf(home: ReportHome, { reports, hasFingerprints, closeAbsent }: History): Promise<number[]> {
  const numbers = new Map<string, number>()
  const issues: number[] = []
  for (const items of reports) {
    const options = { closeAbsent, confirmClose: closeAbsent }
    const { rows } = await imported(home, reportOf(items, hasFingerprints), options)
    for (const { at, issue } of rows.collection) {
      if (at === null) continue
      const number = numbers.get(issue.id) ?? numbers.size
      numbers.set(issue.id, number)
      issues.push(number)
    }
  }
  return issues
}

const SET = `mutation ($input: SetIdentityRuleInput!) { setIdentityRule(input: $input) { identityRule { toolName } } }`
const PREVIEW = `query ($companyId: ID!, $assetId: ID!, $fields: [IdentityField!]!) {
  previewIdentityRule(companyId: $companyId, assetId: $assetId, toolName: "a-scanner", rule: { fields: $fields }) {
    merges splits changedInPlace unexplained partlyKept } }`

async function compared(seed: number) {
  const history = historyOf(seed)
  const { fields } = history
  const [home, other] = [await newReportHome(), await newReportHome()]
  const { companyId, assetId } = other
  await run(other.key, SET, { input: { companyId, assetId, toolName: 'a-scanner', rule: { fields } } })
  const { merges, splits } = compareReplays(await issuesOf(home, history), await issuesOf(other, history))
  const asked = { companyId: home.companyId, assetId: home.assetId, fields }
  const { previewIdentityRule } = await run(home.key, PREVIEW, asked)
  return { told: { seed, ...previewIdentityRule }, done: { seed, merges, splits } }
}

test('a preview foretells to the number what a rule does with a random history, and that nothing is unexplained', async () => {
  const found: Awaited<ReturnType<typeof compared>>[] = []
  for (let seed = 0; seed < HISTORIES; seed += AT_ONCE) {
    found.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => compared(seed + at)))))
  }

  const exact = { changedInPlace: 0, unexplained: 0, partlyKept: 0 }
  expect(found.map(({ told }) => told)).toEqual(found.map(({ done }) => ({ ...done, ...exact })))
})
