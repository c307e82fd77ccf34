// How the JSON of KICS is read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged, observationsIn, recognisedBy, rowsIn, rowsOrFault, textsIn } from '../../../test/reports/reading.ts'
import { kics } from './reader.ts'

const file = (more: Record<string, unknown> = {}) => ({
  file_name: 'infra/s3.tf',
  similarity_id: 'da1423e225c92e29',
  line: 36,
  resource_type: 'aws_s3_bucket_policy',
  resource_name: 'this',
  issue_type: 'IncorrectValue',
  search_key: 'aws_s3_bucket_policy[this].policy',
  expected_value: 'Principal is not *',
  actual_value: 'Principal is *',
  ...more,
})

const query = (more: Record<string, unknown> = {}) => ({
  query_name: 'S3 Bucket Access to Any Principal',
  query_id: '7af43613-6bb9-4a0e-8c4d-1314b799425e',
  query_url: 'https://registry.terraform.io/s3_bucket_policy',
  severity: 'CRITICAL',
  platform: 'Terraform',
  cwe: '284',
  category: 'Access Control',
  description: 'Buckets must not be open to all.',
  files: [file()],
  ...more,
})

const report = (queries: unknown[], more: Record<string, unknown> = {}) => ({
  kics_version: 'v2.1.0',
  files_scanned: 2,
  files_failed_to_scan: 0,
  queries_total: 834,
  queries_failed_to_execute: 0,
  queries,
  ...more,
})

describe('a file of a query', () => {
  test('is an observation with all that is said of it', async () => {
    expect(await observationsIn(kics, report([query()]))).toEqual([
      {
        kind: 'CODE',
        type: 'IAC_FINDING',
        toolName: 'KICS',
        ruleId: '7af43613-6bb9-4a0e-8c4d-1314b799425e',
        title: 'S3 Bucket Access to Any Principal',
        description: 'Buckets must not be open to all.\n\nFound: Principal is *\n\nResource aws_s3_bucket_policy this',
        severity: 'CRITICAL',
        cweIds: [284],
        reference: 'https://registry.terraform.io/s3_bucket_policy',
        solution: 'Expected: Principal is not *',
        tags: ['Terraform', 'Access Control'],
        fingerprint: 'da1423e225c92e29',
        fileName: 'infra/s3.tf',
        line: 36,
      },
    ])
  })

  test('is one observation each, and of the severity below all others a notification', async () => {
    const observations = await observationsIn(kics, report([query({ severity: 'TRACE', files: [file(), file()] })]))

    expect(observations.map(({ severity }) => severity)).toEqual(['NOTIFICATION', 'NOTIFICATION'])
  })

  test('that holds a secret does not keep it', async () => {
    const found = file({ actual_value: 'password = correct-horse' })

    const rows = await rowsIn(kics, report([query({ category: 'Secret Management', cwe: '', files: [found] })]))

    expect(rows).toMatchObject([{ observation: { cweIds: [798] } }])
    expect(textsIn(rows).filter((text) => text.includes('correct-horse'))).toEqual([])
  })
})

describe('a report of KICS', () => {
  test('that failed on a file is cut short', async () => {
    const rows = await rowsIn(kics, report([query()], { files_failed_to_scan: 1 }))

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })

  test('is recognised with and without queries', () => {
    expect([report([query()]), report([]), { queries: [] }].map((each) => recognisedBy(kics, each))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('never breaks by what its values are, and keeps its other queries', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged(report([query(), query()]), (path) => path === 'queries' || path.startsWith('queries.1')),
        async (given) => {
          const rows = await rowsOrFault(kics, given)

          expect(rows).toContainEqual(expect.objectContaining({ kind: 'OBSERVATION', at: 'queries[1].files[0]' }))
        },
      ),
    )
  })
})
