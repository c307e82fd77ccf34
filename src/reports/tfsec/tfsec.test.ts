// How tfsec's JSON is read.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault } from '../../../test/reports/reading.ts'
import { tfsec } from './reader.ts'

const result = (more: Record<string, unknown> = {}) => ({
  rule_id: 'AVD-AWS-0086',
  long_id: 'aws-s3-block-public-acls',
  rule_description: 'S3 Access block should block public ACL',
  rule_provider: 'aws',
  impact: 'Objects become public',
  resolution: 'Block it',
  links: ['https://tfsec.example/block-public-acls'],
  description: 'No public access block',
  severity: 'HIGH',
  status: 0,
  resource: 'aws_s3_bucket.a',
  location: { filename: '/builds/shop/infra/main.tf', start_line: 1, end_line: 4 },
  ...more,
})

test('a result is an observation with all that it says, under the rule that SARIF names', async () => {
  expect(await observationsIn(tfsec, { results: [result()] })).toEqual([
    {
      kind: 'CODE',
      type: 'IAC_FINDING',
      toolName: 'tfsec',
      ruleId: 'aws-s3-block-public-acls',
      title: 'S3 Access block should block public ACL',
      description: 'No public access block\n\nObjects become public\n\nResource aws_s3_bucket.a',
      severity: 'HIGH',
      reference: 'https://tfsec.example/block-public-acls',
      solution: 'Block it',
      fileName: 'main.tf',
      line: 1,
    },
  ])
})

test('of version 0 is read by its words', async () => {
  const old = result({
    long_id: undefined,
    rule_id: 'GCP008',
    severity: 'WARNING',
    link: 'See https://tfsec.example/GCP008',
  })

  expect(await observationsIn(tfsec, { results: [old] })).toMatchObject([{ ruleId: 'GCP008', severity: 'MEDIUM' }])
})

test('what passed is none, and what the code ignores is suppressed', async () => {
  const results = [result({ status: 1 }), result({ passed: true }), result({ status: 2 })]

  expect(await rowsIn(tfsec, { results })).toMatchObject([
    { at: 'results[2]', observation: { decision: { status: 'SUPPRESSED' } } },
  ])
})

test('is recognised by its results, and without any by its file', () => {
  expect(
    [{ results: [result()] }, { results: null }, { results: [] }].map((each) => recognisedBy(tfsec, each)),
  ).toEqual([true, false, false])
  expect(tfsec.recognises({ name: 'tfsec.json', text: '{"results": null}' })).toBe(true)
})

test('never breaks by what its values are, and keeps its other results', async () => {
  await fc.assert(
    fc.asyncProperty(
      damaged({ results: [result(), result()] }, (path) => path === 'results' || path.startsWith('results.1')),
      async (given) => {
        const rows = await rowsOrFault(tfsec, given)

        expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'results[1]' }))
      },
    ),
  )
})
