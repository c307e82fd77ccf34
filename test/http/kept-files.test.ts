// Files that belong to a change: present once the change is made, removed if it is not, and stored only once across retries.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../testkit/client.ts'
import { newPerson, newWorld, type World } from '../testkit/world.ts'
import { type Apart, startApart } from './apart.ts'
import { startBreakable } from './broken-database.ts'
import { BOUNDARY, filePart, mapPart, multipart, operationsPart, storedFiles } from './parts.ts'
import { codesOf, send } from './send.ts'

const CREATE = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id size } } }`

let apart: Apart
let world: World
beforeAll(async () => {
  apart = await startApart()
  world = await newWorld()
})
afterAll(() => apart.stop())

const kept = () => storedFiles(join(apart.data, 'objects')).length

function create(key: string, companyId: string, content: string, idempotencyKey = '', url = apart.service.url) {
  const parts = [
    operationsPart({ input: { companyId, archive: null } }, CREATE),
    mapPart({ 0: ['variables.input.archive'] }),
  ]
  const headers = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'x-api-key': key,
    'idempotency-key': idempotencyKey,
  }
  return send({ url, body: multipart([...parts, filePart('0', content)]), headers })
}

test('a file of an attachment stays, and one of an attachment that is refused does not', async () => {
  const reader = await newPerson(world.companyId, 'READER')
  const before = kept()

  const made = await create(world.owner.key, world.companyId, 'kept')
  const refused = await create(reader.key, world.companyId, 'refused')
  const foreign = await create(world.owner.key, '999999999', 'foreign')

  expect(made.data).toMatchObject({ createAttachment: { attachment: { size: 4 } } })
  expect([codesOf(refused), codesOf(foreign)]).toEqual([['FORBIDDEN'], ['NOT_FOUND']])
  expect(kept() - before).toBe(1)
})

test('a retry keeps one file, and another file under the same key is a conflict', async () => {
  const key = randomUUID()
  const before = kept()

  const first = await create(world.owner.key, world.companyId, 'once', key)
  const again = await create(world.owner.key, world.companyId, 'once', key)
  const other = await create(world.owner.key, world.companyId, 'else', key)

  expect(again.text).toBe(first.text)
  expect(first.data).toMatchObject({ createAttachment: { attachment: { size: 4 } } })
  expect(codesOf(other)).toEqual(['CONFLICT'])
  expect(kept() - before).toBe(1)
})

test('twenty at once under one key keep one file', async () => {
  const key = randomUUID()
  const before = kept()

  await Promise.all(Array.from({ length: 20 }, () => create(world.owner.key, world.companyId, 'many', key)))

  expect(kept() - before).toBe(1)
})

test('a file whose row was committed stays, though the answer to the commit was lost', async () => {
  const broken = await startBreakable()
  const { companyId, owner } = await newWorld()
  const before = storedFiles().length

  broken.loseAnswerTo('commit')
  const lost = await create(owner.key, companyId, 'lost and found', '', broken.service.url).finally(broken.stop)
  const { data } = await ask(owner.key, 'query ($id: ID!) { attachments(scopeId: $id) { collection { size } } }', {
    id: companyId,
  })

  expect(codesOf(lost)).toEqual(['UNAVAILABLE'])
  expect(data).toEqual({ attachments: { collection: [{ size: 14 }] } })
  expect(storedFiles().length - before).toBe(1)
})
