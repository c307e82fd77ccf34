// Batches of findings, through the endpoint.

import { describe, expect, test } from 'vitest'
import { ask, refusal, run } from '../../../../test/testkit/client.ts'
import { newHome, sast, upsert } from '../../../../test/testkit/findings.ts'
import { countStatements } from '../../../../test/testkit/service.ts'

const BATCH = `mutation ($findings: [CreateOrUpdateFindingPolymorphicInput!]!) {
  batchCreateOrUpdateFindings(input: { findings: $findings }) {
    issues { id title } findingErrors { index code message } results { index outcome matchedBy issue { id } } } }`

describe('a batch of findings', () => {
  const entries = (assetId: number, count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({
      sastFinding: sast(assetId, { title: `Rule ${index % 7}`, fileName: `f${from + index}.ts` }),
    }))

  test('tells each outcome by its index, and why one was refused while the others went in', async () => {
    const { key, assetId } = await newHome()
    const foreign = await newHome()
    await upsert(key, sast(assetId))
    const findings = [
      { sastFinding: sast(assetId) },
      { sastFinding: sast(foreign.assetId) },
      { sastFinding: sast(assetId, { vulnerableLine: -1 }) },
      {},
      { scaFinding: { assetId, title: 'Old package', description: 'Old.', package: 'left-pad', cve: 'CVE-2026-0001' } },
      { sastFinding: sast(assetId) },
    ]

    const { batchCreateOrUpdateFindings: answer } = await run(key, BATCH, { findings })

    expect(answer.results.map(({ index, outcome }: { index: number; outcome: string }) => [index, outcome])).toEqual([
      [0, 'UNCHANGED'],
      [4, 'CREATED'],
      [5, 'UNCHANGED'],
    ])
    expect(answer.findingErrors).toMatchObject([
      { index: 1, code: 'NOT_FOUND' },
      { index: 2, code: 'BAD_USER_INPUT' },
      { index: 3, code: 'BAD_USER_INPUT' },
    ])
    expect(answer.issues).toHaveLength(3)
  })

  test('of equal new findings makes one', async () => {
    const { key, assetId } = await newHome()
    const findings = Array.from({ length: 3 }, () => ({ sastFinding: sast(assetId) }))

    const { batchCreateOrUpdateFindings: answer } = await run(key, BATCH, { findings })

    expect(answer.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'CREATED',
      'UNCHANGED',
      'UNCHANGED',
    ])
    expect(new Set(answer.issues.map(({ id }: { id: string }) => id)).size).toBe(1)
  })

  test('takes as many statements for 500 as for 50, new and again', async () => {
    const { key, assetId } = await newHome()
    const send = (count: number, from: number) =>
      countStatements(() => run(key, BATCH, { findings: entries(assetId, count, from) }))

    const counts = [await send(50, 0), await send(500, 1000), await send(50, 0), await send(500, 1000)]

    expect(counts).toEqual([6, 6, 4, 4])
  })

  test('of more than 500 is refused', async () => {
    const { key, assetId } = await newHome()

    const failure = await refusal(key, BATCH, { findings: entries(assetId, 501) })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.findings' })
  })

  test('beside others of the same findings neither blocks nor loses any', async () => {
    const { key, assetId } = await newHome()
    const all = entries(assetId, 60)

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => ask(key, BATCH, { findings: turn % 2 === 0 ? all : all.toReversed() })),
    )

    const ids = answers.flatMap(({ data }) =>
      data.batchCreateOrUpdateFindings.issues.map(({ id }: { id: string }) => id),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    expect(ids).toHaveLength(8 * 60)
    expect(new Set(ids).size).toBe(60)
  })
})
