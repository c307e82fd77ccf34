// What happens to a request that was let in, and whose key or membership ends before it is carried out.

import { describe, expect, test } from 'vitest'
import { type Sent, send } from '../../../test/http/send.ts'
import { administratorKey, ask, refusal, run, unique } from '../../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../../test/testkit/inside.ts'
import { newPerson, newWorld, type Person } from '../../../test/testkit/world.ts'

const ADD = `mutation ($input: CreatePortalUserInput!) { createPortalUser(input: $input) { portalUser { id } } }`
const ACCESS = `mutation ($input: UpdatePortalUserAccessInput!) {
  updatePortalUserAccess(input: $input) { portalUserAccess { role } } }`
const KEYS = '{ apiKeys { id } }'
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }'
const MEMBERS = 'query ($companyId: ID!) { portalUsers(companyId: $companyId) { collection { id } } }'

/** Sends the body in two parts, and does `work` between them. */
async function sendAround(key: string, body: string, contentType: string, work: () => Promise<unknown>): Promise<Sent> {
  const half = body.length / 2
  const parts = new TransformStream<Uint8Array, Uint8Array>()
  const writer = parts.writable.getWriter()
  const answer = send({ headers: { 'x-api-key': key, 'content-type': contentType }, body: parts.readable })
  await writer.write(Buffer.from(body.slice(0, half)))
  await work()
  await writer.write(Buffer.from(body.slice(half)))
  await writer.close()
  return answer
}

async function revoke({ key }: Person): Promise<void> {
  const { apiKeys } = await run(key, KEYS)
  await run(administratorKey(), REVOKE, { id: apiKeys[0].id })
}

const remove = ({ id }: Person, companyId: string) =>
  run(administratorKey(), ACCESS, { input: { companyId, id, role: null } })

async function memberIds(companyId: string): Promise<string[]> {
  const { portalUsers } = await run(administratorKey(), MEMBERS, { companyId })
  return portalUsers.collection.map(({ id }: { id: string }) => id)
}

const adding = (companyId: string, email = `${unique('late').replace(' ', '-')}@example.test`) => ({
  input: { companyId, email, name: 'Late', role: 'OWNER' },
})

describe('a request whose body is still arriving', () => {
  test('is refused if its key is revoked before the body is complete', async () => {
    const { companyId, owner } = await newWorld()
    const body = JSON.stringify({ query: ADD, variables: adding(companyId) })

    const answer = await sendAround(owner.key, body, 'application/json', () => revoke(owner))

    expect(answer.status).toBe(401)
    expect(await memberIds(companyId)).toEqual([owner.id])
  })

  test('is refused if its key is revoked while a file is sent', async () => {
    const { companyId, owner } = await newWorld()
    const query = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }`
    const operations = JSON.stringify({ query, variables: { input: { companyId, archive: null } } })
    const part = (facts: string, content: string) =>
      `--b\r\ncontent-disposition: form-data; name=${facts}\r\n\r\n${content}\r\n`
    const map = part('map', '{"0":["variables.input.archive"]}')
    const file = part('"0"; filename="a.txt"', 'x'.repeat(2_000))
    const body = `${part('operations', operations)}${map}${file}--b--\r\n`

    const answer = await sendAround(owner.key, body, 'multipart/form-data; boundary=b', () => revoke(owner))

    const { attachments } = await run(
      administratorKey(),
      'query ($companyId: ID!) { attachments(scopeId: $companyId) { collection { id } } }',
      { companyId },
    )
    expect(answer.status).toBe(401)
    expect(attachments.collection).toEqual([])
  })

  test('sees a company no longer if its user is removed from it before the body is complete', async () => {
    const { companyId, owner } = await newWorld()
    const body = JSON.stringify({ query: MEMBERS, variables: { companyId } })

    const answer = await sendAround(owner.key, body, 'application/json', () => remove(owner, companyId))

    expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })
})

describe('an owner who is removed', () => {
  test.each([
    ['added again', ADD, (companyId: string, { email }: Person) => adding(companyId, email)],
    [
      'given a role again',
      ACCESS,
      (companyId: string, { id }: Person) => ({ input: { companyId, id, role: 'OWNER' } }),
    ],
  ])('is not %s by a request of their own that was let in before', async (_, mutation, variables) => {
    const { companyId, owner } = await newWorld()
    const removed = await newPerson(companyId, 'OWNER')
    const { db } = await inside()

    const answer = await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('membership').where('company_id', '=', companyId).where('user_id', '=', removed.id).execute()
      const asked = ask(removed.key, mutation, variables(companyId, removed))
      await expect.poll(() => waitingStatements('%membership%')).toBe(1)
      return { asked }
    })

    const { errors } = await answer.asked
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND')
    expect(await memberIds(companyId)).toEqual([owner.id])
  })

  test('two owners who change each other at once both get an answer, and one of them is in force', async () => {
    const { companyId, owner } = await newWorld()
    const other = await newPerson(companyId, 'OWNER')
    const demote = (by: Person, whom: Person) =>
      ask(by.key, ACCESS, { input: { companyId, id: whom.id, role: 'READER' } })

    const answers = await Promise.all([demote(owner, other), demote(other, owner)])

    const codes = answers.map(({ errors }) => errors[0]?.extensions.code ?? 'DONE')
    expect(codes.toSorted()).toEqual(['DONE', 'FORBIDDEN'])
  })
})

test('an administrator who was disabled does not undo it by a request that was let in before', async () => {
  const { viewer } = await run(administratorKey(), '{ viewer { id } }')

  const refused = await refusal(
    administratorKey(),
    'mutation ($id: ID!) { enablePortalUser(input: { id: $id }) { portalUser { id } } }',
    { id: viewer.id },
  )

  expect(refused).toMatchObject({ message: 'You cannot enable yourself', extensions: { code: 'BAD_USER_INPUT' } })
})
