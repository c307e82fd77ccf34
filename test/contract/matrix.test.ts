// The access matrix: every operation with own, foreign, missing and malformed ids, by every kind of key.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AllVendors, serveAllVendors } from '../testkit/all-vendors.ts'
import { type Answer, administratorKey, ask, run, type Variables } from '../testkit/client.ts'
import { countStatements } from '../testkit/service.ts'
import { type Callers, newCallers } from './samples/callers.ts'
import { type Call, calls, ownVariables, placesOf, put } from './samples/index.ts'
import { companyOf } from './samples/integrations.ts'
import { newSubject } from './samples/subject.ts'
import type { Kind, Subject } from './samples/types.ts'
import { hashRows } from './untouched.ts'

const MISSING = '2147483646'
const MALFORMED = 'no-id'

let mine: Subject
let theirs: Subject
let callers: Callers
let vendors: AllVendors
let before: Record<string, string>
let cells = 0
const deleted = new Map<Kind, string>()
const variablesOf = new Map<Call, Variables>()

const missing = (kind: Kind): string => (kind === 'email' ? 'nobody@example.test' : MISSING)

beforeAll(async () => {
  vendors = await serveAllVendors('MAKER')
  mine = await newSubject()
  theirs = await newSubject()
  callers = await newCallers(mine, theirs)
  for (const call of calls) {
    variablesOf.set(call, await ownVariables(call, mine))
    for (const kind of new Set(Object.values(placesOf(call)))) await Promise.all([mine.id(kind), theirs.id(kind)])
  }
  for (const call of calls) await remove(call)
  vendors.shown.length = 0
  before = await hashRows([mine.companyId, theirs.companyId])
})

afterAll(async () => {
  await vendors.end()
  const controls = calls.flatMap(({ optional, filters }) => [0, ...Object.keys({ ...optional, ...filters })])
  console.info(`${cells} cells, ${controls.length} positive controls`)
})

/** If the call deletes a single record, creates another one and deletes it, so that its id once existed. */
async function remove(call: Call): Promise<void> {
  const [place = ''] = call.consumes ?? []
  const kind = call.ids?.[place]
  // These are identified by their asset, which stays.
  if (!call.field.startsWith('delete') || !kind || kind === 'scannerConfiguration' || kind === 'gatePolicy') return
  const id = await mine.fresh(kind)
  const key = call.administrator ? administratorKey() : mine.owner.key
  await run(key, call.document, put(variablesOf.get(call) ?? {}, call, place, id))
  deleted.set(kind, id)
}

/** What a caller can see of an answer, without ids and what differs between any two requests. */
function seen({ answer, statements }: Cell, ids: readonly string[]): unknown {
  const { status, headers, data, errors, extensions } = answer
  const words = ids.filter((id) => !/^\d+$/.test(id))
  const blank = (text: string) => words.reduce((shown, word) => shown.replaceAll(word, '#'), text).replace(/\d+/g, '#')
  return {
    statements,
    status,
    headers: [...headers.keys()].filter((name) => name !== 'connection').sort(),
    cost: extensions.cost,
    data: JSON.stringify(data, (_, value) => (typeof value === 'string' ? blank(value) : value)),
    errors: errors.map(({ message, path, extensions: { requestId: _, ...said } }) => [blank(message), path, said]),
  }
}

const codeOf = (call: Call, { data, errors }: Answer): string => {
  const payload = data?.[call.field]
  return errors[0]?.extensions.code ?? (payload ? call.failureIn?.(payload)?.code : undefined) ?? 'NONE'
}

/**
 * `statements` is the number of SQL statements that the answer took, which must be the same for a foreign and a missing
 * record.
 */
type Cell = { answer: Answer; statements: number; code: string }

async function cell(call: Call, key: string | null, variables: Variables): Promise<Cell> {
  cells += 1
  let answer: Answer | undefined
  const statements = await countStatements(async () => {
    answer = await ask(key, call.document, variables)
  })
  if (!answer) throw new Error('Nothing was answered')
  return { answer, statements, code: codeOf(call, answer) }
}

/** The variables with one id replaced, or without `only` every required one. */
async function filled(call: Call, by: (kind: Kind) => Promise<string> | string, only?: string): Promise<Variables> {
  let variables = variablesOf.get(call) ?? {}
  for (const [path, kind] of Object.entries(only === undefined ? (call.ids ?? {}) : placesOf(call))) {
    if (only === undefined || path === only) variables = put(variables, call, path, await by(kind))
  }
  return variables
}

/**
 * A filter that matches nothing is no failure, nor is a nullable part that is null. For people, and in places where no
 * id is valid, NOT_FOUND and BAD_USER_INPUT are both correct.
 */
function expected(call: Call, path: string, kind: Kind): RegExp {
  if (call.filters?.[path] || call.unfound?.includes(path)) return /^NONE$/
  const isNamed = kind === 'email' || kind === 'user' || call.never?.[path]
  return isNamed ? /^(NOT_FOUND|BAD_USER_INPUT)$/ : /^NOT_FOUND$/
}

const foreign = (kind: Kind) => theirs.id(kind)

describe.each(calls.filter((call) => Object.keys(placesOf(call)).length > 0))('$name', (call) => {
  // For an administrator, no company is foreign.
  const keyOfJudge = () => (call.administrator ? administratorKey() : mine.owner.key)

  test.each(Object.entries(placesOf(call)))(
    '%s: foreign and deleted are as missing, and malformed is refused',
    async (path, kind) => {
      const [foreignId, missingId] = [await foreign(kind), missing(kind)]

      const ofOthers = call.administrator ? null : await cell(call, keyOfJudge(), await filled(call, foreign, path))
      const ofNobody = await cell(call, keyOfJudge(), await filled(call, missing, path))
      const noId = await cell(call, keyOfJudge(), await filled(call, () => MALFORMED, path))
      const deletedId = deleted.get(kind)
      const ofBefore = deletedId ? await cell(call, keyOfJudge(), await filled(call, () => deletedId, path)) : null

      if (ofBefore && deletedId) {
        expect(seen(ofBefore, [deletedId])).toEqual(seen(ofNobody, [missingId]))
      }
      if (ofOthers) {
        expect(seen(ofOthers, [foreignId])).toEqual(seen(ofNobody, [missingId]))
        expect(ofOthers.code).toMatch(expected(call, path, kind))
      }
      expect(ofNobody.code).toMatch(expected(call, path, kind))
      if (kind !== 'email') expect(noId.code).toBe('BAD_USER_INPUT')
    },
  )

  if (!call.ids) return

  test.each([
    ['another company’s owner', 'foreign'],
    ['an owner whose key is held to another company', 'heldElsewhere'],
    ['a former owner', 'former'],
  ] as const)('%s finds nothing of it', async (_, caller) => {
    const key = callers[caller]
    const own = await cell(call, key, variablesOf.get(call) ?? {})
    const ofNobody = await cell(call, key, await filled(call, missing))
    const noId = await cell(call, key, await filled(call, () => MALFORMED))

    const refusal = call.administrator ? 'FORBIDDEN' : 'NOT_FOUND'
    expect([own.code, ofNobody.code, noId.code]).toEqual([refusal, refusal, 'BAD_USER_INPUT'])
    const ids = await Promise.all(Object.values(call.ids ?? {}).map((kind) => mine.id(kind)))
    expect(seen(own, ids)).toEqual(seen(ofNobody, [MISSING, missing('email')]))
  })

  test.runIf(call.administrator)('an owner may not do what only an administrator may', async () => {
    const codes = []
    for (const by of [(kind: Kind) => mine.id(kind), foreign, missing]) {
      codes.push((await cell(call, mine.owner.key, await filled(call, by))).code)
    }

    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
  })

  test('a key that may only read changes nothing', async () => {
    const own = call.reads ? { code: 'NONE' } : await cell(call, callers.readOnly, variablesOf.get(call) ?? {})
    const ofOthers = await cell(call, callers.readOnly, await filled(call, foreign))
    const ofNobody = await cell(call, callers.readOnly, await filled(call, missing))
    const noId = await cell(call, callers.readOnly, await filled(call, () => MALFORMED))

    const mayRead = (!call.isMutation || call.reads) && !call.scope
    expect([own.code, ofOthers.code, ofNobody.code]).toEqual(
      mayRead ? ['NONE', 'NOT_FOUND', 'NOT_FOUND'] : ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'],
    )
    expect(noId.code).toMatch(mayRead ? /^BAD_USER_INPUT$/ : /^(BAD_USER_INPUT|FORBIDDEN)$/)
  })

  test.skipIf(call.reads || call.isPersonal)('a reader changes nothing, whatever the scopes of the key', async () => {
    const { code } = await cell(call, callers.reader, variablesOf.get(call) ?? {})

    const isOfOthers = Object.values(call.ids ?? {}).some((kind) => kind === 'key' || kind === 'savedView')
    if (call.isMutation) expect(code).toBe(isOfOthers ? 'NOT_FOUND' : 'FORBIDDEN')
    else expect(code).toBe(call.scope ? 'FORBIDDEN' : 'NONE')
  })
})

describe.each(calls)('$name', (call) => {
  test('a revoked key and no key are not let in, whatever is asked', async () => {
    for (const key of [callers.revoked, null]) {
      for (const by of [(kind: Kind) => mine.id(kind), foreign, missing, () => MALFORMED]) {
        const { answer } = await cell(call, key, await filled(call, by))

        expect(answer.status).toBe(401)
        expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED'])
        expect(answer.data).toBeNull()
      }
    }
  })
})

test('lists without a company show nothing of others', async () => {
  const everything =
    '{ companies { collection { id } } projects { collection { company { id } } } apiKeys { portalUser { id } } }'

  const { companies, projects, apiKeys } = await run(theirs.owner.key, everything)

  cells += 3
  expect(companies.collection).toEqual([{ id: theirs.companyId }])
  expect(new Set(projects.collection.map((project: { company: { id: string } }) => project.company.id))).toEqual(
    new Set([theirs.companyId]),
  )
  expect(new Set(apiKeys.map((key: { portalUser: { id: string } }) => key.portalUser.id))).toEqual(
    new Set([theirs.owner.id]),
  )
})

test('no vendor was asked with another company’s credential', () => {
  expect(new Set(vendors.shown.map(companyOf))).toEqual(new Set([mine.companyId]))
})

test('after all of it every row of both companies is what it was', async () => {
  const after = await hashRows([mine.companyId, theirs.companyId])

  expect(after).toEqual(before)
})
