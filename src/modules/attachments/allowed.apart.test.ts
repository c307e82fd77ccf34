// Who may see, describe, keep and delete an attachment.

import { describe, expect, test } from 'vitest'
import {
  ATTACHMENT,
  ATTACHMENTS,
  attach,
  CREATE,
  DELETE,
  download,
  idsOf,
  UPDATE,
} from '../../../test/testkit/attachments.ts'
import { ask, type Data, refusal, run } from '../../../test/testkit/client.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld } from '../../../test/testkit/world.ts'

describe('attachments', () => {
  test('an attachment kept for some is nobody else’s to list, see, download, change or delete', async () => {
    const { companyId, owner } = await newWorld()
    const [author, allowed, other] = [
      await newPerson(companyId, 'DEVELOPER'),
      await newPerson(companyId, 'DEVELOPER'),
      await newPerson(companyId, 'ANALYST'),
    ]
    const created = await attach(author.key, { companyId, allowedPortalUserIds: [allowed.id] })
    const { id } = created

    const seen = await Promise.all(
      [owner, author, allowed, other].map(async ({ key }) => [
        idsOf(await run(key, ATTACHMENTS, { scopeId: companyId })).length,
        (await ask(key, ATTACHMENT, { id })).data?.attachment.id ?? null,
        (await download(key, id)).status,
      ]),
    )
    const hidden = await Promise.all([
      refusal(other.key, ATTACHMENT, { id }),
      refusal(other.key, UPDATE, { input: { id, description: 'Mine' } }),
      refusal(other.key, DELETE, { input: { id } }),
    ])
    const missing = await refusal(other.key, ATTACHMENT, { id: '999999999' })

    expect(created.allowedPortalUsers.map(({ email }: Data) => email)).toEqual([allowed.email])
    expect(seen).toEqual([
      [1, id, 200],
      [1, id, 200],
      [1, id, 200],
      [0, null, 404],
    ])
    expect(hidden.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    expect(hidden[0]?.message.replace(id, '#')).toBe(missing.message.replace('999999999', '#'))
  })

  test('its author and owners say who sees an attachment, and others may only describe it', async () => {
    const { companyId, owner } = await newWorld()
    const [author, other] = [await newPerson(companyId, 'DEVELOPER'), await newPerson(companyId, 'DEVELOPER')]
    const { id } = await attach(author.key, { companyId })

    const described = await run(other.key, UPDATE, { input: { id, description: 'Seen' } })
    const failure = await refusal(other.key, UPDATE, { input: { id, allowedPortalUserIds: [other.id] } })
    const kept = await run(author.key, UPDATE, { input: { id, allowedPortalUserIds: [owner.id] } })
    const gone = await refusal(other.key, ATTACHMENT, { id })
    const opened = await run(owner.key, UPDATE, { input: { id, allowedPortalUserIds: [] } })

    expect(described.updateAttachment.attachment.description).toBe('Seen')
    expect([failure.extensions.code, gone.extensions.code]).toEqual(['FORBIDDEN', 'NOT_FOUND'])
    expect(kept.updateAttachment.attachment).toMatchObject({
      isRestricted: true,
      allowedPortalUsers: [{ id: owner.id }],
    })
    expect(opened.updateAttachment.attachment).toMatchObject({ isRestricted: false, description: 'Seen' })
  })

  test('what was kept for somebody who has left stays kept from the others', async () => {
    const { companyId, owner } = await newWorld()
    const [left, other] = [await newPerson(companyId, 'READER'), await newPerson(companyId, 'READER')]
    const { id } = await attach(owner.key, { companyId, allowedPortalUserIds: [left.id] })
    await run(
      owner.key,
      'mutation ($input: UpdatePortalUserAccessInput!) { updatePortalUserAccess(input: $input) { portalUserAccess { portalUser { id } } } }',
      { input: { companyId, id: left.id, role: null } },
    )

    const failures = await Promise.all([left, other].map(({ key }) => refusal(key, ATTACHMENT, { id })))
    const mine = await run(owner.key, ATTACHMENT, { id })

    expect(failures.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect(mine.attachment.allowedPortalUsers).toEqual([])
  })

  test('attachments, projects, issues and companies of others answer as missing ones do', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const foreign = await attach(theirs.owner.key, { companyId: theirs.companyId })
    const project = await newProject(theirs.owner.key, theirs.companyId)
    const asset = await newAsset(theirs.owner.key, theirs.companyId)
    const issue = await newIssue(theirs.owner.key, asset.id)
    const { key } = mine.owner
    const archive = { filename: 'a', contentType: 'text/plain', base64: '' }
    const calls = (id: string, projectId: string, issueId: string, companyId: string) => [
      refusal(key, ATTACHMENT, { id }),
      refusal(key, UPDATE, { input: { id, description: 'x' } }),
      refusal(key, DELETE, { input: { id } }),
      refusal(key, ATTACHMENTS, { scopeId: companyId }),
      refusal(key, ATTACHMENTS, { scopeId: mine.companyId, projectId }),
      refusal(key, ATTACHMENTS, { scopeId: mine.companyId, issueId }),
      refusal(key, CREATE, { input: { companyId: mine.companyId, archive, projectId } }),
      refusal(key, CREATE, { input: { companyId: mine.companyId, archive, issueId } }),
      refusal(key, CREATE, { input: { companyId, archive } }),
    ]

    const told = await Promise.all(calls(foreign.id, project.id, issue.id, theirs.companyId))
    const missing = await Promise.all(calls('999999999', '999999999', '999999999', '999999999'))
    const [file, noFile] = [await download(key, foreign.id), await download(key, '999999999')]

    const shown = ({ message, extensions }: Data) => [message.replace(/\d+/, '#'), extensions.code]
    expect(told.map(shown)).toEqual(missing.map(shown))
    expect(new Set(told.map(({ extensions }) => extensions.code))).toEqual(new Set(['NOT_FOUND']))
    expect([file.status, noFile.status]).toEqual([404, 404])
  })

  test('a user who is no member cannot be allowed', async () => {
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const input = {
      companyId: mine.companyId,
      archive: { filename: 'a', contentType: 'text/plain', base64: '' },
      allowedPortalUserIds: [theirs.owner.id],
    }

    const failure = await refusal(mine.owner.key, CREATE, { input })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'input.allowedPortalUserIds' })
  })

  test('a reader, and a key that only reads, keep and delete nothing', async () => {
    const { companyId, owner } = await newWorld()
    const reader = await newPerson(companyId, 'READER')
    const reading = await newPerson(companyId, 'OWNER', ['read'])
    const { id } = await attach(owner.key, { companyId })
    const archive = { filename: 'a', contentType: 'text/plain', base64: '' }

    const failures = await Promise.all(
      [reader, reading].flatMap(({ key }) => [
        refusal(key, CREATE, { input: { companyId, archive } }),
        refusal(key, UPDATE, { input: { id, description: 'x' } }),
        refusal(key, DELETE, { input: { id } }),
      ]),
    )

    expect(new Set(failures.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']))
  })
})
