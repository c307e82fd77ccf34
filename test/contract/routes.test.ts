// Who may download what: every plain HTTP address with own, foreign, missing and malformed ids, by every kind of key.

import { beforeAll, describe, expect, test } from 'vitest'
import { modules } from '../../src/modules/index.ts'
import { serviceUrl } from '../testkit/service.ts'
import { type Callers, newCallers } from './samples/callers.ts'
import { newSubject } from './samples/subject.ts'
import type { Kind, Subject } from './samples/types.ts'

const MISSING = '2147483646'

/** The kind of record that each address's id names; ids are in path order. */
const behindKey: Readonly<Record<string, Kind>> = {
  '/attachments/:id': 'attachment',
  '/exports/:id': 'export',
  '/deploys/:id/diff': 'deploy',
  '/deploys/:id/commit-history': 'history',
  '/activity-evidences/:id': 'evidence',
  '/ticket-attachments/:id': 'ticketAttachment',
}

const open: Readonly<Record<string, Kind>> = {
  '/seals/:publicId.svg': 'publicSeal',
  '/seals/:publicId': 'publicSeal',
}

let mine: Subject
let theirs: Subject
let callers: Callers

beforeAll(async () => {
  mine = await newSubject()
  theirs = await newSubject()
  callers = await newCallers(mine, theirs)
})

type Fetched = { status: number; headers: string[]; body: string }

async function fetched(path: string, id: string, key: string | null): Promise<Fetched> {
  const address = `${await serviceUrl()}${path.replace(/:\w+/, id)}`
  const response = await fetch(address, { headers: key === null ? {} : { 'x-api-key': key } })
  const body = (await response.text()).replace(/"requestId":"[^"]+"/g, '').replace(/\d+/g, '#')
  return { status: response.status, headers: [...response.headers.keys()].sort(), body }
}

test('no address is forgotten', () => {
  const routes = modules.flatMap((module) => module.routes ?? [])

  const found = routes.map(({ path, access }) => `${access} ${path}`).sort()

  const known = [
    ...Object.keys(behindKey).map((path) => `key ${path}`),
    ...Object.keys(open).map((path) => `public ${path}`),
  ]
  expect(found).toEqual(known.sort())
})

describe.each(Object.entries(behindKey))('%s', (path, kind) => {
  test('is had by its owner, and by a key that may only read', async () => {
    const id = await mine.id(kind)

    const byOwner = await fetched(path, id, mine.owner.key)
    const byReader = await fetched(path, id, callers.readOnly)

    expect([byOwner.status, byReader.status]).toEqual([200, 200])
    expect(byReader).toEqual(byOwner)
  })

  test('a foreign one is as a missing one, from both sides, and what is no id is refused', async () => {
    const [own, foreign] = [await mine.id(kind), await theirs.id(kind)]

    const ofOthers = await fetched(path, foreign, mine.owner.key)
    const byOthers = []
    for (const key of [callers.foreign, callers.heldElsewhere, callers.former])
      byOthers.push(await fetched(path, own, key))
    const ofNobody = await fetched(path, MISSING, mine.owner.key)
    const noId = await fetched(path, 'no-id', mine.owner.key)

    expect(ofNobody.status).toBe(404)
    expect(ofOthers).toEqual(ofNobody)
    expect(byOthers).toEqual([ofNobody, ofNobody, ofNobody])
    expect(noId.status).toBe(400)
  })

  test('a revoked key and no key are not let in, whatever is asked', async () => {
    const answers = []
    for (const key of [callers.revoked, null]) {
      for (const id of [await mine.id(kind), await theirs.id(kind), MISSING, 'no-id']) {
        answers.push(await fetched(path, id, key))
      }
    }

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  })
})

describe.each(Object.entries(open))('%s', (path, kind) => {
  test('is the same for everybody, and one that never was is not found', async () => {
    const id = await mine.id(kind)

    const answers = []
    for (const key of [mine.owner.key, theirs.owner.key, callers.revoked, null])
      answers.push(await fetched(path, id, key))
    const ofNobody = await fetched(path, '0'.repeat(22), null)
    const noId = await fetched(path, 'no-id', null)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect([ofNobody.status, noId.status]).toEqual([404, 404])
  })
})
