// Merging and splitting while reports of the same asset come in: neither waits for what the other holds.

import { expect, test } from 'vitest'
import { ask, type Data, run } from '../../../test/testkit/client.ts'
import { withAsset } from '../../../test/testkit/world.ts'

const FINDINGS = 12
const ROUNDS = 4

const BATCH = `mutation ($input: BatchCreateOrUpdateFindingsInput!) { batchCreateOrUpdateFindings(input: $input) {
  results { issue { id } } } }`
const MERGE = 'mutation ($input: MergeIssuesInput!) { mergeIssues(input: $input) { issue { id } } }'

const findings = (assetId: string, words: string) =>
  Array.from({ length: FINDINGS }, (_, index) => ({
    sastFinding: {
      assetId: Number(assetId),
      branchName: 'main',
      title: `Finding ${index}`,
      description: words,
      ruleId: `rule-${index}`,
      toolName: 'a tool',
      codeSnippet: `eval(input${index})`,
      fileName: `src/${index}.ts`,
      firstLine: 1,
      vulnerableLine: 1,
    },
  }))

test('reports and merges of one asset at once all come to their end', async () => {
  const { owner, asset, companyId } = await withAsset()
  const report = (words: string) => ask(owner.key, BATCH, { input: { findings: findings(asset.id, words) } })
  const first = await run(owner.key, BATCH, { input: { findings: findings(asset.id, 'first') } })
  const ids: string[] = first.batchCreateOrUpdateFindings.results.map(({ issue }: Data) => issue.id)

  const failures: unknown[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [merged, issueId] = ids.slice(2 * round)
    const input = { companyId, issueId, mergeIds: [merged], reason: 'The same' }
    const answers = await Promise.all([
      report(`a ${round}`),
      ask(owner.key, MERGE, { input }),
      report(`b ${round}`),
      report(`c ${round}`),
    ])
    failures.push(...answers.flatMap(({ errors }) => errors))
  }

  expect(failures).toEqual([])
})
