// Single reports that come at the same time: they are written together, and none of them has to do with another.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { refusal, run } from '../../../../test/testkit/client.ts'
import { newHome, sast, UPSERT, upsert } from '../../../../test/testkit/findings.ts'
import { inside, waitingStatements } from '../../../../test/testkit/inside.ts'
import { countStatements } from '../../../../test/testkit/service.ts'
import { newAsset } from '../../../../test/testkit/world.ts'
import { transaction } from '../../../core/db/open.ts'

const AUDIT = `query ($companyId: ID!) { auditRecords(companyId: $companyId, pagination: { perPage: 100 }) {
  collection { object operation requestId } } }`

const PLAIN = `mutation ($input: CreateOrUpdateSastFindingInput!) {
  createOrUpdateSastFinding(input: $input) { outcome issue { id title } } }`

type Home = Awaited<ReturnType<typeof newHome>>

/** So many findings of different rules, files and code. */
const different = (assetId: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    sast(assetId, { title: `Rule ${n}`, fileName: `src/${n}.ts`, codeSnippet: `run(${n})`, vulnerableLine: n + 1 }),
  )

const report = async ({ key }: Pick<Home, 'key'>, input: object) =>
  (await run(key, PLAIN, { input })).createOrUpdateSastFinding

const outcomesOf = (answers: readonly { outcome: string }[]) => answers.map(({ outcome }) => outcome)

test('many at once are each created, unchanged when they come again, and take fewer statements than one by one', async () => {
  const home = await newHome()
  const inputs = different(home.assetId, 40)
  const sendAll = () => Promise.all(inputs.map((input) => report(home, input)))

  const created = await sendAll()
  let again: Awaited<ReturnType<typeof sendAll>> = []
  const statements = await countStatements(async () => {
    again = await sendAll()
  })

  expect(new Set(outcomesOf(created))).toEqual(new Set(['CREATED']))
  expect(created.map(({ issue }) => issue.title)).toEqual(inputs.map(({ title }) => title))
  expect(new Set(outcomesOf(again))).toEqual(new Set(['UNCHANGED']))
  expect(again.map(({ issue }) => issue)).toEqual(created.map(({ issue }) => issue))
  expect(statements).toBeLessThan(40)
})

test('each of many at once has its own audit record, of its own request', async () => {
  const home = await newHome()

  const created = await Promise.all(different(home.assetId, 20).map((input) => report(home, input)))

  const { auditRecords } = await run(home.key, AUDIT, { companyId: home.companyId })
  const records: { object: string; requestId: string; operation: string }[] = auditRecords.collection
  const own = records.filter(({ operation }) => operation === 'createOrUpdateSastFinding')
  expect(new Set(own.map(({ object }) => object))).toEqual(new Set(created.map(({ issue }) => `Issue ${issue.id}`)))
  expect(own).toHaveLength(20)
  expect(new Set(own.map(({ requestId }) => requestId)).size).toBe(20)
})

test('one that the database refuses is refused alone', async () => {
  const home = await newHome()
  // together more than an index takes, of characters that do not pack
  const letters = (count: number, seed: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n * 7919 + n * seed) % 20_000))).join(
      '',
    )
  const bad = sast(home.assetId, { branchName: letters(490, 31), fileName: letters(495, 17) })

  const refused = refusal(home.key, PLAIN, { input: bad })
  const answers = await Promise.all(different(home.assetId, 10).map((input) => report(home, input)))

  expect((await refused).extensions.code).toBe('BAD_USER_INPUT')
  expect(new Set(outcomesOf(answers))).toEqual(new Set(['CREATED']))
})

test('of callers of two companies at once each gets its own, and the other one’s asset is missing to both', async () => {
  const [one, other] = [await newHome(), await newHome()]

  const [own, foreign, others, missing] = await Promise.all([
    Promise.all(different(one.assetId, 10).map((input) => report(one, input))),
    Promise.all(different(other.assetId, 5).map((input) => refusal(one.key, PLAIN, { input }))),
    Promise.all(different(other.assetId, 10).map((input) => report(other, input))),
    Promise.all(different(one.assetId, 5).map((input) => refusal(other.key, PLAIN, { input }))),
  ])

  expect(new Set(outcomesOf([...own, ...others]))).toEqual(new Set(['CREATED']))
  expect(new Set([...foreign, ...missing].map(({ extensions }) => extensions.code))).toEqual(new Set(['NOT_FOUND']))
  expect(new Set([...own, ...others].map(({ issue }) => issue.id)).size).toBe(20)
})

/** Sends `held`, which waits for what `holding` locks until it is let go of, and meanwhile `free`. */
async function whileHeld(holding: ReturnType<typeof sql>, held: () => Promise<unknown>, free: () => Promise<unknown>) {
  const { db } = await inside()
  return transaction(db, async (trx) => {
    await holding.execute(trx)
    const waiting = held()
    const answer = await free()
    await expect.poll(() => waitingStatements()).toBeGreaterThan(0)
    return { waiting, answer }
  })
}

test('a report of an asset that somebody holds waits, and one of another asset that comes with it does not', async () => {
  const home = await newHome()
  const another = await newAsset(home.key, home.companyId)
  const held = sql`select from asset where company_id = ${home.companyId} and id = ${home.assetId} for update`

  const { waiting, answer } = await whileHeld(
    held,
    () => report(home, sast(home.assetId)),
    () => Promise.all(different(Number(another.id), 5).map((input) => report(home, input))),
  )

  expect(new Set(outcomesOf(answer as { outcome: string }[]))).toEqual(new Set(['CREATED']))
  expect(await waiting).toMatchObject({ outcome: 'CREATED' })
})

test('a finding whose place somebody holds is answered afterwards, and others that come again with it at once', async () => {
  const home = await newHome()
  const inputs = different(home.assetId, 6)
  const created = await Promise.all(inputs.map((input) => upsert(home.key, input)))
  const [first, ...others] = inputs
  const held = sql`select from occurrence where company_id = ${home.companyId} and issue_id = ${created[0].issue.id} for update`

  const { waiting, answer } = await whileHeld(
    held,
    () => report(home, first ?? {}),
    () => Promise.all(others.map((input) => report(home, input))),
  )

  expect(new Set(outcomesOf(answer as { outcome: string }[]))).toEqual(new Set(['UNCHANGED']))
  expect(await waiting).toMatchObject({ outcome: 'UNCHANGED', issue: { id: created[0].issue.id } })
})

test('one that comes thirty times at once is unchanged each time', async () => {
  const { key, assetId } = await newHome()
  const input = sast(assetId)
  await upsert(key, input)

  const answers = await Promise.all(Array.from({ length: 30 }, () => run(key, UPSERT, { input })))

  expect(new Set(answers.map(({ createOrUpdateSastFinding }) => createOrUpdateSastFinding.outcome))).toEqual(
    new Set(['UNCHANGED']),
  )
})
