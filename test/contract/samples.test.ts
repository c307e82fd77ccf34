// Every operation has a sample, and the samples cover every place that takes an id.

import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { calls, placesOf } from './samples/index.ts'
import { leavesOf, rootFields, schema } from './schema.ts'

/** Places whose names look like ids but name no record of a company, by the reason. */
const ofNoRecord = {
  'a mark of the caller’s own': /(^|\.)clientMutationId$/,
  'what a tool outside calls a thing':
    /\.(originalIssueIdFromTool|externalAuthorIdentifier|vulnerabilityTemplateId|ruleId)$/,
  'a word of the caller’s own, kept and shown':
    /\.(teamIds|teamsIds|credentialsIds)\.0$|input\.secretIds\.0$|activities\.0\.typeId$/,
  'what an outside tool calls its own':
    /^listId$|^tracker(Project|Team|Board)Id$|^filters\.host[AB]\.(workspaceId|groupId)$|input\.(project|board|team|list)\.id$|input\.projects\.0\.id$|input\.(workspaceIds\.0|groupIds\.0|workspaceId|externalProjectId)$/,
  'a catalogue that all companies share':
    /\.(capecIds|cweIds|vulnerabilityIds|projectTypeIds|associatedProjectTypeId)\.0$|input\.typeId$/,
  'not offered; createAttachment takes evidence': /evidenceBlobSignedIds/,
}

const speaksOfIds = (path: string): boolean => {
  const word = path.split('.').findLast((step) => step !== '0') ?? ''
  return /(^id|Ids?|IdEq|IdIn|^ids)$|^id(Eq|In)$|Emails?$|EmailIn$/.test(word)
}

test('every operation has a sample, and no sample lacks its operation', () => {
  const sampled = new Set(calls.map(({ field }) => field))

  const forgotten = rootFields.map(({ name }) => name).filter((name) => !sampled.has(name))

  expect(forgotten).toEqual([])
})

test('every sample is valid', () => {
  const faults = calls.flatMap(({ name, document }) =>
    validate(schema, parse(document)).map(({ message }) => `${name}: ${message}`),
  )

  expect(faults).toEqual([])
})

test('every place that takes the id of a record is tried with foreign ids', () => {
  const tried = new Set(calls.flatMap((call) => Object.keys(placesOf(call)).map((path) => `${call.field} ${path}`)))
  const reasons = Object.values(ofNoRecord)

  const untried = rootFields
    .flatMap(({ name, args }) => args.flatMap((argument) => leavesOf(argument).map((path) => ({ name, path }))))
    .filter(({ path }) => speaksOfIds(path) && !reasons.some((reason) => reason.test(path)))
    .filter(({ name, path }) => !tried.has(`${name} ${path}`))
    .map(({ name, path }) => `${name} ${path}`)

  expect(untried).toEqual([])
})
