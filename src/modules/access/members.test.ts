// People named in other records must be members of the company, however they are named.

import { describe, expect, test } from 'vitest'
import { administratorKey, run, upload } from '../../../test/testkit/client.ts'
import { inside } from '../../../test/testkit/inside.ts'
import { newAsset, newIssue, newPerson, newWorld, type World } from '../../../test/testkit/world.ts'
import { membersAmong } from './service.ts'

const ASSIGN = `mutation ($input: UpdateIssueAssigneesInput!) { updateIssueAssignee(input: $input) { assignees { id } } }`
const ATTACH = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) {
  attachment { allowedPortalUsers { id } } } }`

async function newIssueOf({ companyId, owner }: World): Promise<string> {
  const asset = await newAsset(owner.key, companyId)
  return (await newIssue(owner.key, asset.id)).id
}

/** The ids of the people to whom the issue is given by their addresses, in order. */
async function assigned(world: World, assigneeEmails: readonly string[]): Promise<string[]> {
  const { updateIssueAssignee } = await run(world.owner.key, ASSIGN, {
    input: { issueId: await newIssueOf(world), assigneeEmails },
  })
  return updateIssueAssignee.assignees.map(({ id }: { id: string }) => id).toSorted()
}

const attach = ({ companyId, owner }: World, allowedPortalUserIds: readonly string[]) =>
  upload(
    owner.key,
    ATTACH,
    { input: { companyId, allowedPortalUserIds } },
    { 'input.archive': { content: 'what was seen', filename: 'seen.txt' } },
  )

describe('by address', () => {
  test('are members whatever the case, each once', async () => {
    const world = await newWorld()
    const other = await newPerson(world.companyId, 'READER')
    const named = [world.owner.email, world.owner.email.toUpperCase(), other.email.toUpperCase()]

    expect(await assigned(world, named)).toEqual([world.owner.id, other.id].toSorted())
  })

  test('that are none are refused, the first of them by its address', async () => {
    const world = await newWorld()
    const foreign = (await newWorld()).owner
    const named = [world.owner.email, foreign.email.toUpperCase(), 'nobody@example.test']

    await expect(assigned(world, named)).rejects.toThrow(
      `BAD_USER_INPUT: ${foreign.email} is not a member of this company`,
    )
  })

  test('are nobody where nobody is named', async () => {
    expect(await assigned(await newWorld(), [])).toEqual([])
  })

  test('that may not sign in any more, or are not members, get no mail', async () => {
    const { companyId, owner } = await newWorld()
    const gone = await newPerson(companyId, 'READER')
    const foreign = (await newWorld()).owner
    await run(
      administratorKey(),
      'mutation ($id: ID!) { disablePortalUser(input: { id: $id }) { clientMutationId } }',
      { id: gone.id },
    )
    const { db } = await inside()

    const told = await membersAmong(db, companyId, [gone.email, owner.email, foreign.email])

    expect(told).toEqual([owner.email])
  })
})

describe('by id', () => {
  test('are members', async () => {
    const world = await newWorld()
    const other = await newPerson(world.companyId, 'READER')

    const { data } = await attach(world, [other.id, world.owner.id])

    const ids = data.createAttachment.attachment.allowedPortalUsers.map(({ id }: { id: string }) => id)
    expect(ids.toSorted()).toEqual([world.owner.id, other.id].toSorted())
  })

  test('that are none are refused, the first of them by its id', async () => {
    const world = await newWorld()
    const foreign = (await newWorld()).owner

    const { errors } = await attach(world, [world.owner.id, foreign.id, '999999999'])

    expect(errors).toMatchObject([
      {
        message: `User ${foreign.id} is not a member of this company`,
        extensions: { code: 'BAD_USER_INPUT', argument: 'input.allowedPortalUserIds' },
      },
    ])
  })
})
