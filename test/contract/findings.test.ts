// Each operation that reports a finding creates one of its own type, which shows that type's fields.

import { beforeAll, expect, test } from 'vitest'
import { run, type Variables } from '../testkit/client.ts'
import { type Call, calls, ownVariables } from './samples/index.ts'
import { newSubject } from './samples/subject.ts'
import type { Subject } from './samples/types.ts'

const CODE = 'detail { fileName vulnerableLine codeSnippet }'
const COMPONENT = 'detail { package affectedVersion patchedVersion cve }'
const EXCHANGE = 'detail { url method request response }'
const NETWORK = 'detail { address protocol port attackVector }'

const operations = [
  ['createSastFinding', 'SastFinding', CODE],
  ['createScaFinding', 'ScaFinding', COMPONENT],
  ['createDastFinding', 'DastFinding', EXCHANGE],
  ['createIacFinding', 'IacFinding', CODE],
  ['createSecretFinding', 'SecretFinding', CODE],
  ['createContainerFinding', 'ContainerFinding', COMPONENT],
  ['createMastFinding', 'MastFinding', CODE],
  ['createOrUpdateSastFinding', 'SastFinding', CODE],
  ['createOrUpdateScaFinding', 'ScaFinding', COMPONENT],
  ['createOrUpdateDastFinding', 'DastFinding', EXCHANGE],
  ['createOrUpdateIacFinding', 'IacFinding', CODE],
  ['createOrUpdateSecretFinding', 'SecretFinding', CODE],
  ['createOrUpdateContainerFinding', 'ContainerFinding', COMPONENT],
  ['createOrUpdateMastFinding', 'MastFinding', CODE],
  ['createSourceCodeVulnerability', 'SourceCodeVulnerability', CODE],
  ['createNetworkVulnerability', 'NetworkVulnerability', NETWORK],
  ['createWebVulnerability', 'WebVulnerability', EXCHANGE],
  ['updateSourceCodeVulnerability', 'SourceCodeVulnerability', CODE],
  ['updateNetworkVulnerability', 'NetworkVulnerability', NETWORK],
  ['updateWebVulnerability', 'WebVulnerability', EXCHANGE],
] as const

let subject: Subject

beforeAll(async () => {
  subject = await newSubject()
})

const callOf = (name: string): Call => {
  const call = calls.find((known) => known.name === name)
  if (!call) throw new Error(`There is no sample of ${name}`)
  return call
}

test.each(operations)('%s writes a %s with all that was sent of it', async (name, typeName, detail) => {
  const call = callOf(name)
  const variables = (await ownVariables(call, subject)) as { input: Variables }
  const before = await run(subject.owner.key, call.document, variables)

  const { issue } = await run(
    subject.owner.key,
    `query ($id: ID!) { issue(id: $id) { __typename title description asset { id } ... on ${typeName} { ${detail} } } }`,
    { id: before[name].issue.id },
  )

  const sent = Object.keys(issue.detail).map((field) => [field, variables.input[field]])
  expect(issue).toEqual({
    __typename: typeName,
    title: variables.input.title,
    description: variables.input.description,
    asset: { id: await subject.id('asset') },
    detail: Object.fromEntries(sent),
  })
})
