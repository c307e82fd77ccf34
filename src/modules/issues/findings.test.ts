// Findings that tools report, through the endpoint.

import { describe, expect, test } from 'vitest'
import { refusal, run } from '../../../test/testkit/client.ts'
import { decide, newHome, sast, UPSERT, upsert } from '../../../test/testkit/findings.ts'
import { countStatements } from '../../../test/testkit/service.ts'
import { newAsset, newPerson } from '../../../test/testkit/world.ts'

describe('a finding that is reported', () => {
  test('is created from the fields of the contract, and answers with them', async () => {
    const { key, assetId } = await newHome()

    const { createOrUpdateSastFinding: answer } = await run(
      key,
      `mutation ($input: CreateOrUpdateSastFindingInput!) {
        createOrUpdateSastFinding(input: $input) { clientMutationId issue { id title status } } }`,
      { input: { ...sast(assetId), clientMutationId: 'mine' } },
    )

    expect(answer).toEqual({
      clientMutationId: 'mine',
      issue: { id: expect.stringMatching(/^\d+$/), title: 'SQL built from input', status: 'CREATED' },
    })
  })

  test('is unchanged when it comes again as it was, and updated when its words change', async () => {
    const { key, assetId } = await newHome()

    const first = await upsert(key, sast(assetId))
    const again = await upsert(key, sast(assetId))
    const reworded = await upsert(key, sast(assetId, { description: 'In other words.', severity: 'HIGH' }))

    expect([first, again, reworded].map(({ outcome, matchedBy }) => [outcome, matchedBy])).toEqual([
      ['CREATED', 'NEW'],
      ['UNCHANGED', 'PLACE'],
      ['UPDATED', 'PLACE'],
    ])
    expect(new Set([first, again, reworded].map(({ issue }) => issue.id)).size).toBe(1)
    expect(reworded.issue).toMatchObject({ description: 'In other words.', severity: 'HIGH' })
  })

  test('keeps what a person decided of it, and takes the new words of the scan', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId, { severity: 'LOW', solution: 'Bind it.' }))
    await decide(key, issue.id, 'FALSE_POSITIVE', 'A constant.')

    const again = await upsert(key, sast(assetId, { severity: 'HIGH', solution: 'Bind every value.' }))

    expect(again).toMatchObject({
      outcome: 'UPDATED',
      issue: { id: issue.id, status: 'FALSE_POSITIVE', severity: 'HIGH' },
    })
  })

  test('that was closed as fixed opens again by itself, and its history says so', async () => {
    const { key, assetId } = await newHome()
    const { issue } = await upsert(key, sast(assetId))
    await decide(key, issue.id, 'FIX_ACCEPTED', 'Gone.')

    const again = await upsert(key, sast(assetId))

    expect(again).toMatchObject({ outcome: 'REOPENED', issue: { id: issue.id, status: 'IDENTIFIED' } })
    expect(again.issue.history[0]).toMatchObject({
      action: 'STATUS_CHANGED',
      kind: 'SCAN',
      previousStatus: 'FIX_ACCEPTED',
      status: 'IDENTIFIED',
    })
  })

  test('starts as DRAFT, CREATED or IDENTIFIED when it says so, and as nothing that people decide', async () => {
    const { key, assetId } = await newHome()

    const { issue } = await upsert(key, sast(assetId, { status: 'IDENTIFIED' }))
    const failure = await refusal(key, UPSERT, { input: sast(assetId, { status: 'FALSE_POSITIVE' }) })

    expect(issue.status).toBe('IDENTIFIED')
    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.status' })
  })

  test('gets its severity from a score, and its weaknesses from the category', async () => {
    const { key, assetId } = await newHome()

    const { issue } = await upsert(
      key,
      sast(assetId, { cvssScore: 9.1, severity: 'LOW', category: 'cwe79: scripting' }),
    )

    expect(issue).toMatchObject({ severity: 'CRITICAL', cweIds: [79] })
  })

  test('gets its score and severity from a vector where no score is given', async () => {
    const { key, assetId } = await newHome()
    const cvssVector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'

    const told = await upsert(key, sast(assetId, { cvssVector, severity: 'LOW' }))
    const given = await upsert(key, sast(assetId, { cvssVector, cvssScore: 2, fileName: 'src/b.ts' }))

    const issues = [told, given].map(({ issue }) => [issue.severity, issue.cvssScore])
    expect(issues).toEqual([
      ['HIGH', 7.5],
      ['LOW', 2],
    ])
  })

  test('is on two branches one issue with two occurrences', async () => {
    const { key, assetId } = await newHome()

    const main = await upsert(key, sast(assetId, { branchName: 'main' }))
    const feature = await upsert(key, sast(assetId, { branchName: 'feature' }))

    expect(feature).toMatchObject({ outcome: 'UPDATED', matchedBy: 'PLACE', issue: { id: main.issue.id } })
    expect(feature.issue.occurrences.map(({ branchName }: { branchName: string }) => branchName).sort()).toEqual([
      'feature',
      'main',
    ])
  })

  test('is another one on another line at the same commit, and both stay two when they come again', async () => {
    const { key, assetId } = await newHome()
    const at = (line: number) => sast(assetId, { vulnerableLine: line, firstLine: line, commitRef: 'abcdef1' })

    const first = await upsert(key, at(10))
    const second = await upsert(key, at(50))
    const again = [await upsert(key, at(10)), await upsert(key, at(50))]

    expect([first.outcome, second.outcome]).toEqual(['CREATED', 'CREATED'])
    expect(again.map(({ outcome, issue }) => [outcome, issue.id])).toEqual([
      ['UNCHANGED', first.issue.id],
      ['UNCHANGED', second.issue.id],
    ])
  })

  test('is found by its code when its lines moved between two commits, and says where it was', async () => {
    const { key, assetId } = await newHome()
    const first = await upsert(key, sast(assetId, { commitRef: 'aaaaaaa1' }))

    const moved = await upsert(key, sast(assetId, { vulnerableLine: 14, firstLine: 14, commitRef: 'bbbbbbb2' }))

    expect(moved).toMatchObject({
      outcome: 'UPDATED',
      matchedBy: 'SNIPPET_IN_FILE',
      previousPlaces: [{ path: 'src/users.ts', line: 10 }],
      issue: { id: first.issue.id, detail: { vulnerableLine: 14 } },
    })
  })

  test('is found by the id or the fingerprint that its tool gives, wherever it went', async () => {
    const { key, assetId } = await newHome()
    const byId = await upsert(key, sast(assetId, { originalIssueIdFromTool: 'T-1', fingerprint: 'f1' }))

    const elsewhere = { fileName: 'lib/other.ts', vulnerableLine: 3, firstLine: 3, codeSnippet: 'run(text)' }
    const again = await upsert(key, sast(assetId, { ...elsewhere, originalIssueIdFromTool: 'T-1' }))
    const fingerprinted = await upsert(key, sast(assetId, { fingerprint: 'f1', fileName: 'c.ts', codeSnippet: 'x()' }))

    expect([again, fingerprinted].map(({ matchedBy, issue }) => [matchedBy, issue.id])).toEqual([
      ['TOOL_ID', byId.issue.id],
      ['FINGERPRINT', byId.issue.id],
    ])
  })

  test('of another asset, tool or rule is another one', async () => {
    const { key, assetId, companyId } = await newHome()
    const other = await newAsset(key, companyId)
    const inputs = [
      sast(assetId),
      sast(Number(other.id)),
      sast(assetId, { toolName: 'Lint' }),
      sast(assetId, { toolName: 'Lint', ruleId: 'sql-1' }),
    ]

    const ids = new Set<string>()
    for (const input of inputs) ids.add((await upsert(key, input)).issue.id)

    expect(ids.size).toBe(4)
  })

  test('sixty-four times at once is one issue', async () => {
    const { key, assetId } = await newHome()

    const answers = await Promise.all(Array.from({ length: 64 }, () => upsert(key, sast(assetId))))

    const outcomes = answers.map(({ outcome }) => outcome)
    expect(new Set(answers.map(({ issue }) => issue.id)).size).toBe(1)
    expect(outcomes.filter((outcome) => outcome === 'CREATED')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'UNCHANGED')).toHaveLength(63)
  })

  test('sixty-four different ones of a rule at once are sixty-four issues', async () => {
    const { key, assetId } = await newHome()
    const at = (line: number) => sast(assetId, { vulnerableLine: line, firstLine: line, codeSnippet: `run(${line})` })

    const answers = await Promise.all(Array.from({ length: 64 }, (_, line) => upsert(key, at(line + 1))))

    expect(new Set(answers.map(({ issue }) => issue.id)).size).toBe(64)
  })

  test('takes few statements: one when the last report comes again', async () => {
    const { key, assetId } = await newHome()
    const plain = `mutation ($input: CreateOrUpdateSastFindingInput!) {
      createOrUpdateSastFinding(input: $input) { issue { id title status } } }`
    await upsert(key, sast(assetId))

    const again = await countStatements(() => run(key, plain, { input: sast(assetId) }))
    const created = await countStatements(() => run(key, plain, { input: sast(assetId, { fileName: 'b.ts' }) }))

    expect(again).toBe(1)
    expect(created).toBe(5)
  })

  test('that comes again word for word is answered as it is by now, whatever happened to it in between', async () => {
    const { key, assetId, companyId } = await newHome()
    const reader = await newPerson(companyId, 'READER')
    const { issue } = await upsert(key, sast(assetId))
    await upsert(key, sast(assetId))

    await decide(key, issue.id, 'RISK_ACCEPTED', 'Known.')
    const accepted = [await upsert(key, sast(assetId)), await upsert(key, sast(assetId))]
    await upsert(key, sast(assetId, { solution: 'Bind it.', codeSnippet: 'other()' }))
    const back = await upsert(key, sast(assetId))
    const again = await upsert(key, sast(assetId))
    const missing = await refusal(key, UPSERT, { input: sast(assetId, { controlSyncStatusId: '999999999' }) })
    const forbidden = await refusal(reader.key, UPSERT, { input: sast(assetId) })

    expect(accepted.map(({ outcome, issue: { status } }) => [outcome, status])).toEqual([
      ['UNCHANGED', 'RISK_ACCEPTED'],
      ['UNCHANGED', 'RISK_ACCEPTED'],
    ])
    expect([back.outcome, again.outcome]).toEqual(['UPDATED', 'UNCHANGED'])
    expect(again.issue.id).toBe(issue.id)
    expect([missing.extensions.code, forbidden.extensions.code]).toEqual(['NOT_FOUND', 'FORBIDDEN'])
  })

  test('is refused for an asset, deploy, run or project that is missing or foreign, in the same words', async () => {
    const { key, assetId } = await newHome()
    const foreign = await newHome()
    const outcomes = []
    for (const [what, more] of [
      ['asset', { assetId: foreign.assetId }],
      ['asset', { assetId: 2_000_000_000 }],
      ['deploy', { deployId: '999999999' }],
      ['scan', { controlSyncStatusId: '999999999' }],
      ['project', { projectId: 999999999 }],
    ] as const) {
      outcomes.push({ what, failure: await refusal(key, UPSERT, { input: sast(assetId, more) }) })
    }

    for (const { what, failure } of outcomes) {
      expect(failure.extensions.code).toBe('NOT_FOUND')
      expect(failure.message).toMatch(new RegExp(`^The ${what} \\d+ was not found$`))
    }
  })

  test('is refused by the name of what cannot be used', async () => {
    const { key, assetId } = await newHome()
    const bad = {
      title: ' ',
      vulnerableLine: -1,
      cvssScore: 11,
      cvssVector: 'CVSS:3.1/AV:N/AC:L',
      codeSnippet: 'a\u0000b',
      description: 'x'.repeat(100_001),
    }
    const named = []
    for (const [name, value] of Object.entries(bad)) {
      named.push([name, (await refusal(key, UPSERT, { input: sast(assetId, { [name]: value }) })).extensions])
    }

    for (const [name, extensions] of named) {
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: `input.${name}` })
    }
  })

  test('is not for readers to report', async () => {
    const { assetId, companyId } = await newHome()
    const reader = await newPerson(companyId, 'READER')

    const failure = await refusal(reader.key, UPSERT, { input: sast(assetId) })

    expect(failure.extensions.code).toBe('FORBIDDEN')
  })

  test('leaves an audit record of what it created and changed, and none when nothing changed', async () => {
    const { key, assetId, companyId } = await newHome()
    const { issue } = await upsert(key, sast(assetId))
    await upsert(key, sast(assetId, { solution: 'Bind it.' }))
    await upsert(key, sast(assetId, { solution: 'Bind it.' }))

    const { auditRecords } = await run(
      key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object after } } }',
      { companyId },
    )

    const mine = auditRecords.collection.filter(({ object }: { object: string }) => object === `Issue ${issue.id}`)
    expect(mine).toHaveLength(2)
    expect(mine[0]).toMatchObject({ operation: 'createOrUpdateSastFinding', after: { solution: 'Bind it.' } })
  })
})
