// Attachments, through the endpoint and by their download addresses.

import { describe, expect, test } from 'vitest'
import { ask, type Data, refusal, run, type SentFile, upload } from '../../../test/testkit/client.ts'
import { countSettled, services, serviceUrl, startService } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newPerson, newProject, newWorld, type World } from '../../../test/testkit/world.ts'

const CREATE = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) {
  clientMutationId attachment { id allowedPortalUsers { id name email } archiveContentType archiveFilename size sha256
    description origin projectId issueId isRestricted createdAt updatedAt author { email } downloadUrl } } }`
const UPDATE = `mutation ($input: UpdateAttachmentInput!) { updateAttachment(input: $input) {
  attachment { id description isRestricted allowedPortalUsers { id } } } }`
const DELETE = 'mutation ($input: DeleteAttachmentInput!) { deleteAttachment(input: $input) { clientMutationId id } }'
const ATTACHMENT = 'query ($id: ID!) { attachment(id: $id) { id description allowedPortalUsers { id } } }'
const ATTACHMENTS = `query ($scopeId: ID!, $issueId: ID, $projectId: ID, $page: Int, $limit: Int, $search: AttachmentsSearch,
    $origin: String) {
  attachments(scopeId: $scopeId, issueId: $issueId, projectId: $projectId, page: $page, limit: $limit, search: $search,
      origin: $origin) {
    collection { id allowedPortalUsers { id name email } archiveContentType author { email } }
    metadata { currentPage limitValue totalCount } } }`

const attach = async (key: string, input: Record<string, unknown>, file: SentFile = { content: 'content' }) => {
  const { data, errors } = await upload(key, CREATE, { input }, { 'input.archive': file })
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
  return data.createAttachment.attachment
}

const download = async (key: string, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${await serviceUrl()}/attachments/${id}`, { method, headers: { 'x-api-key': key, ...headers } })

const idsOf = (answer: Data) => answer.attachments.collection.map(({ id }: Data) => id)

/** How many rows know a file of this content, and whether its object is there. */
const stored = async (sha256: string) => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app.parts
  return db.selectFrom('stored_object').select('object_key').where('sha256', '=', Buffer.from(sha256, 'hex')).execute()
}

describe('attachments', () => {
  test('a file sent as a part of its own is kept, described and given back as it was', async () => {
    const { companyId, owner } = await newWorld()
    const content = new Uint8Array([0, 255, 13, 10, 7])
    const input = { companyId, description: 'A proof', clientMutationId: 'mine' }
    const file = { content, filename: '../p ü.png', type: 'image/png' }

    const { data } = await upload(owner.key, CREATE, { input }, { 'input.archive': file })
    const { attachment } = data.createAttachment
    const answer = await download(owner.key, attachment.id)

    expect(data.createAttachment.clientMutationId).toBe('mine')
    expect(attachment).toMatchObject({
      allowedPortalUsers: [],
      archiveContentType: 'image/png',
      archiveFilename: 'p ü.png',
      size: 5,
      description: 'A proof',
      origin: 'company',
      projectId: null,
      issueId: null,
      isRestricted: false,
      author: { email: owner.email },
      downloadUrl: `/attachments/${attachment.id}`,
    })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(content)
    expect(answer.headers.get('etag')).toBe(`"${attachment.sha256}"`)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="p _.png"; filename*=UTF-8''p%20%C3%BC.png`,
    )
  })

  test('a file sent inside a JSON body is kept too', async () => {
    const { companyId, owner } = await newWorld()
    const archive = { filename: 'a.txt', contentType: 'text/plain', base64: Buffer.from('hello').toString('base64') }

    const { createAttachment } = await run(owner.key, CREATE, { input: { companyId, archive } })

    const answer = await download(owner.key, createAttachment.attachment.id)
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain', 'hello'])
  })

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/javascript',
    'application/x-unheard-of',
  ])('a download of a file of the type %s is inert', async (type) => {
    const { companyId, owner } = await newWorld()
    const { id } = await attach(owner.key, { companyId }, { content: '<script>alert(1)</script>', filename: 'x', type })

    const { headers } = await download(owner.key, id)

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    })
  })

  test('a part of a file can be asked for, and its headers alone', async () => {
    const { companyId, owner } = await newWorld()
    const { id, sha256 } = await attach(owner.key, { companyId }, { content: '0123456789' })

    const part = await download(owner.key, id, { range: 'bytes=2-4', 'if-range': `"${sha256}"` })
    const end = await download(owner.key, id, { range: 'bytes=-2' })
    const beyond = await download(owner.key, id, { range: 'bytes=10-' })
    const head = await download(owner.key, id, {}, 'HEAD')
    const headBeyond = await download(owner.key, id, { range: 'bytes=10-' }, 'HEAD')

    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234'])
    expect([end.status, await end.text()]).toEqual([206, '89'])
    expect([beyond.status, beyond.headers.get('content-range'), await beyond.text()]).toEqual([416, 'bytes */10', ''])
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
    expect([headBeyond.status, headBeyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  })

  test('an empty file is kept and given back', async () => {
    const { companyId, owner } = await newWorld()
    const { id } = await attach(owner.key, { companyId }, { content: '' })

    const answer = await download(owner.key, id)
    const head = await download(owner.key, id, {}, 'HEAD')

    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '0'])
  })

  test('a file above the limit is refused by name', async () => {
    const { companyId, owner } = await newWorld()
    const { url, app } = await startService({ MERLON_ATTACHMENT_BYTES: '10' })
    const send = async (length: number) => {
      const base64 = Buffer.alloc(length).toString('base64')
      const archive = { filename: 'a', contentType: 'text/plain', base64 }
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': owner.key },
        body: JSON.stringify({ query: CREATE, variables: { input: { companyId, archive } } }),
      })
      return (await response.json()) as Data
    }

    const [fits, exceeds] = [await send(10), await send(11)]

    await app.stop(0)
    expect(fits.errors).toBeUndefined()
    expect(exceeds.errors[0].extensions).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', argument: 'input.archive' })
  })

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

  test('attachments are listed by company, project, issue, origin and part of the name', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const project = await newProject(owner.key, companyId)
    const issue = await newIssue(owner.key, asset.id)
    const plain = await attach(owner.key, { companyId }, { content: 'a', filename: 'Plain.TXT' })
    const ofProject = await attach(owner.key, { companyId, projectId: project.id })
    const ofIssue = await attach(owner.key, { companyId, issueId: issue.id })
    const list = async (filter: Record<string, unknown>) =>
      idsOf(await run(owner.key, ATTACHMENTS, { scopeId: companyId, ...filter }))

    const all = await run(owner.key, ATTACHMENTS, { scopeId: companyId, page: 1, limit: 2 })

    expect(idsOf(all)).toEqual([ofIssue.id, ofProject.id])
    expect(all.attachments.metadata).toEqual({ currentPage: 1, limitValue: 2, totalCount: 3 })
    expect(await list({ projectId: project.id })).toEqual([ofProject.id])
    expect(await list({ issueId: issue.id })).toEqual([ofIssue.id])
    expect(await list({ origin: 'COMPANY' })).toEqual([plain.id])
    expect(await list({ origin: 'Project' })).toEqual([ofProject.id])
    expect(await list({ origin: 'issue' })).toEqual([ofIssue.id])
    expect(await list({ search: { filename: 'plain.t' } })).toEqual([plain.id])
  })

  test('an unknown origin is refused by name', async () => {
    const { companyId, owner } = await newWorld()

    const failure = await refusal(owner.key, ATTACHMENTS, { scopeId: companyId, origin: 'ticket' })

    expect(failure.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: 'origin' })
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

  test('a deleted attachment goes with its file, and is audited', async () => {
    const { companyId, owner } = await newWorld()
    const { id, sha256 } = await attach(owner.key, { companyId }, { content: `only here ${companyId}` })
    const before = await stored(sha256)

    const { deleteAttachment } = await run(owner.key, DELETE, { input: { id, clientMutationId: 'mine' } })

    const { auditRecords } = await run(
      owner.key,
      'query ($companyId: ID!) { auditRecords(companyId: $companyId) { collection { operation object before } } }',
      { companyId },
    )
    expect(deleteAttachment).toEqual({ clientMutationId: 'mine', id })
    expect([before.length, await stored(sha256)]).toEqual([1, []])
    expect((await download(owner.key, id)).status).toBe(404)
    expect(auditRecords.collection[0]).toMatchObject({
      operation: 'deleteAttachment',
      object: `Attachment ${id}`,
      before: { archiveFilename: 'file', sha256 },
    })
  })

  test('an attachment of a finding goes with it, and lets go of its file', async () => {
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const issue = await newIssue(owner.key, asset.id)
    const { id, sha256 } = await attach(owner.key, { companyId, issueId: issue.id }, { content: `proof ${companyId}` })

    await run(owner.key, 'mutation ($input: DeleteIssueInput!) { deleteIssue(input: $input) { issue { id } } }', {
      input: { id: issue.id },
    })

    expect((await refusal(owner.key, ATTACHMENT, { id })).extensions.code).toBe('NOT_FOUND')
    expect(await stored(sha256)).toEqual([])
  })

  test('a project is made with its attachments, or not at all', async () => {
    const { companyId, owner } = await newWorld()
    const archive = { filename: 'scope.txt', contentType: 'text/plain', base64: 'aGk=' }

    const project = await newProject(owner.key, companyId, { attachments: [{ archive, description: 'Scope' }] })
    const failed = newProject(owner.key, companyId, { attachments: [{ archive }, { description: 'No file' }] })

    await expect(failed).rejects.toThrow('BAD_USER_INPUT')
    const { projects } = await run(
      owner.key,
      'query ($id: ID!) { projects(params: { companyId: $id }) { collection { id } } }',
      {
        id: companyId,
      },
    )
    const listed = await run(owner.key, ATTACHMENTS, { scopeId: companyId, projectId: project.id })
    expect(projects.collection).toEqual([{ id: project.id }])
    expect(listed.attachments.metadata.totalCount).toBe(1)
  })

  test('a page takes as many statements with one attachment as with twenty', async () => {
    const [small, large] = [await newWorld(), await newWorld()]
    await attach(small.owner.key, { companyId: small.companyId, allowedPortalUserIds: [small.owner.id] })
    for (let made = 0; made < 20; made += 1) {
      await attach(large.owner.key, { companyId: large.companyId, allowedPortalUserIds: [large.owner.id] })
    }
    const page = ({ companyId, owner }: World) => run(owner.key, ATTACHMENTS, { scopeId: companyId, limit: 50 })
    const [one, twenty] = [await countSettled(() => page(small)), await countSettled(() => page(large))]

    expect(twenty).toBe(one)
  })
})
