// Findings of every type, through the endpoint: what of each identifies it.

import { describe, expect, test } from 'vitest'
import { run } from '../../../../test/testkit/client.ts'
import { newHome } from '../../../../test/testkit/findings.ts'

describe('findings of every type', () => {
  const about = { title: 'Found', description: 'A weakness.' }
  const component = {
    package: 'left-pad',
    affectedVersion: '1.0.0',
    cve: 'CVE-2026-0001',
    fileName: 'package-lock.json',
  }
  const exchange = {
    url: 'https://app.test/users?id=1',
    method: 'GET',
    parameters: 'id',
    request: 'GET /',
    response: '200',
  }
  const code = { fileName: 'main.tf', vulnerableLine: 4, firstLine: 4, codeSnippet: 'acl = "public"' }
  const types = [
    ['Sast', code, { ...code, codeSnippet: 'acl = "none"', vulnerableLine: 40, firstLine: 40 }],
    ['Iac', code, { ...code, fileName: 'other.tf' }],
    ['Secret', code, { ...code, fileName: 'other.tf' }],
    ['Mast', code, { ...code, fileName: 'other.tf' }],
    ['Sca', component, { ...component, affectedVersion: '2.0.0' }],
    ['Container', { ...component, image: 'app:1' }, { ...component, package: 'right-pad' }],
    ['Dast', exchange, { ...exchange, method: 'POST' }],
  ] as const

  test.each(types)('%s: the same again is one, another place is another', async (name, input, other) => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: CreateOrUpdate${name}FindingInput!) {
      createOrUpdate${name}Finding(input: $input) { outcome issue { id type title } } }`
    const report = async (fields: object) =>
      (await run(key, mutation, { input: { ...about, assetId, ...fields } }))[`createOrUpdate${name}Finding`]

    const first = await report(input)
    const again = await report(input)
    const another = await report(other)

    expect([first.outcome, again.outcome, another.outcome]).toEqual(['CREATED', 'UNCHANGED', 'CREATED'])
    expect(again.issue).toEqual(first.issue)
    expect(first.issue.type).toBe(`${name.toUpperCase()}_FINDING`)
  })

  test.each(types)('create%sFinding makes one of every call', async (name, input) => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: Create${name}FindingInput!) {
      create${name}Finding(input: $input) { issue { id title } } }`
    const variables = { input: { ...code, ...about, assetId, ...input } }
    const mine = name === 'Sast' || 'codeSnippet' in input ? variables : { input: { ...about, assetId, ...input } }

    const ids = [await run(key, mutation, mine), await run(key, mutation, mine)].map(
      (data) => data[`create${name}Finding`].issue.id,
    )

    expect(new Set(ids).size).toBe(2)
  })

  test('a URL is the same with other values in its query', async () => {
    const { key, assetId } = await newHome()
    const mutation = `mutation ($input: CreateOrUpdateDastFindingInput!) {
      createOrUpdateDastFinding(input: $input) { outcome issue { ... on DastFinding { detail { url method } } } } }`
    const report = (url: string) => run(key, mutation, { input: { ...about, assetId, ...exchange, url } })
    await report('https://app.test/users?id=1')

    const { createOrUpdateDastFinding: again } = await report('https://app.test/users?id=2')

    expect(again).toEqual({
      outcome: 'UPDATED',
      issue: { detail: { url: 'https://app.test/users?id=2', method: 'GET' } },
    })
  })
})
