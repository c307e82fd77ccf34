// What a gate says that it does not know: a diff not read, or in part; a review that failed or has not ended; dependencies that were not checked.

import { describe, expect, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { newHome } from '../../../test/testkit/deploys.ts'
import { sast, upsert } from '../../../test/testkit/findings.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { deployed, reviewed, tokenOfKind } from '../../../test/testkit/reviews.ts'
import { diffAdding } from '../../../test/testkit/secret-samples.ts'
import { countStatements } from '../../../test/testkit/service.ts'

const GATE = 'gate { decision isJudged unknown sentence }'

type Home = Awaited<ReturnType<typeof newHome>>

const gateOf = async ({ key }: Home, id: string): Promise<Data> =>
  (await run(key, `query ($id: ID!) { deploy(id: $id) { ${GATE} } }`, { id })).deploy.gate

const runOf = async ({ key, assetId }: Home): Promise<Data> =>
  (
    await run(key, `query ($assetId: ID!) { securityGateRun(assetId: $assetId) { status ${GATE} } }`, {
      assetId,
    })
  ).securityGateRun

const leak = diffAdding([{ path: 'src/client.ts', lines: [`open('${tokenOfKind('github-personal-token')}')`] }])
const harmless = diffAdding([{ path: 'src/client.ts', lines: ['open()'] }])
const cut = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n'
const noDiff = 'The diff could not be read: The content holds no file of a git or unified diff.'
const notEnded = 'The review of the diff has not finished.'

describe('what is not known of a deploy', () => {
  test('is all of it where its content is no diff: it is not judged, unless what was reported blocks it', async () => {
    const home = await newHome()
    const { id } = await deployed(home, 'nothing of the kind')
    const before = await gateOf(home, id)
    await upsert(home.key, sast(Number(home.assetId), { severity: 'HIGH', deployId: id }))

    const after = await gateOf(home, id)

    expect(before).toEqual({
      decision: 'PASS',
      isJudged: false,
      unknown: [noDiff],
      sentence: `Deploy ${id} on branch main is not judged, although no rule of the built-in policy is violated. ${noDiff}`,
    })
    expect(after).toMatchObject({ decision: 'BLOCK', isJudged: true, unknown: [noDiff] })
    expect(after.sentence).toMatch(/ is blocked by .* The diff could not be read: /)
  })

  test('is what comes after the line up to which its diff was read', async () => {
    const home = await newHome()
    const { id } = await deployed(home, cut)

    const gate = await gateOf(home, id)

    const [first] = gate.unknown
    expect(gate).toMatchObject({ decision: 'PASS', isJudged: true })
    expect(first).toMatch(/^The diff was read only in part: The diff cannot be read past line \d+: .+\.$/)
    expect(gate.sentence).toContain(` passes the built-in policy. ${first}`)
  })

  test('is what its review will find, until it has ended', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    const before = [await gateOf(home, id), await runOf(home)]
    await reviewed(home, id)

    const after = [await gateOf(home, id), await runOf(home)]

    expect(before).toMatchObject([
      { decision: 'PASS', isJudged: true, unknown: [notEnded], sentence: expect.stringMatching(/has not finished\.$/) },
      { status: 'PASSED', gate: { unknown: [notEnded] } },
    ])
    expect(after).toMatchObject([
      { decision: 'BLOCK', unknown: [] },
      { status: 'FAILED', gate: { unknown: [] } },
    ])
  })

  test('is what its review would have found, where it failed', async () => {
    const home = await newHome()
    const { id } = await deployed(home, leak)
    await reviewed(home, id, 1)

    const gate = await gateOf(home, id)

    const failed = 'The review of the diff failed: The review took longer than 0.001 seconds.'
    expect(gate).toMatchObject({ decision: 'PASS', isJudged: true, unknown: [failed] })
    expect(gate.sentence).toMatch(/The review of the diff failed: The review took longer than 0\.001 seconds\.$/)
  })

  test('is whether its dependencies are vulnerable, where nobody took advisories in', async () => {
    const { db } = await inside()
    await db.deleteFrom('advisory').execute()
    const home = await newHome()
    const lines = [
      '{',
      '  "packages": {',
      '    "node_modules/left": {',
      '      "version": "1.4.0"',
      '    }',
      '  }',
      '}',
    ]
    const { id } = await deployed(home, diffAdding([{ path: 'package-lock.json', lines }]))
    await reviewed(home, id)

    const [gate, { status }] = [await gateOf(home, id), await runOf(home)]

    const unchecked = expect.stringMatching(
      /^Dependencies were not checked, because no advisories have been imported\. .*\.$/,
    )
    expect(gate).toMatchObject({ decision: 'PASS', isJudged: true, unknown: [unchecked] })
    expect(gate.sentence).toContain('Dependencies were not checked, because ')
    expect(status).toBe('PASSED')
  })

  test('is told of a branch as well, whose status stays that of what pipelines report with anything but a diff', async () => {
    const home = await newHome()
    await deployed(home, JSON.stringify({ commits: [] }))

    const result = await runOf(home)

    expect(result).toMatchObject({ status: 'PASSED', gate: { decision: 'PASS', isJudged: false, unknown: [noDiff] } })
  })

  test('is nothing where the review is turned off, or there is no deploy', async () => {
    const home = await newHome()
    const none = await runOf(home)
    const off = 'mutation ($input: SetDeployReviewInput!) { setDeployReview(input: $input) { clientMutationId } }'
    await run(home.key, off, { input: { companyId: home.companyId, assetId: home.assetId, isOn: false } })
    const { id } = await deployed(home, leak)

    const gate = await gateOf(home, id)

    expect([none.gate.unknown, gate.unknown]).toEqual([[], []])
  })

  test('takes as many statements for twelve deploys as for one', async () => {
    const ofSize = async (size: number) => {
      const home = await newHome()
      for (let number = 0; number < size; number += 1) {
        await deployed(home, harmless, number.toString(16), (number + 1).toString(16))
      }
      const query = `query ($id: ID!) { deploysByAsset(assetId: $id, limit: 50) { collection { ${GATE} } } }`
      let answer: Data
      const statements = await countStatements(async () => {
        answer = await run(home.key, query, { id: home.assetId })
      })
      return { statements, unknown: answer.deploysByAsset.collection.flatMap(({ gate }: Data) => gate.unknown) }
    }

    const [one, twelve] = [await ofSize(1), await ofSize(12)]

    expect(twelve.unknown).toEqual(Array.from({ length: 12 }, () => notEnded))
    expect(twelve.statements).toBe(one.statements)
  })
})
