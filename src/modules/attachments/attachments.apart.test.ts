// Attachments, through the endpoint and by their download addresses.

import { describe, expect, test } from 'vitest'
import {
  ATTACHMENT,
  ATTACHMENTS,
  attach,
  CREATE,
  DELETE,
  download,
  idsOf,
  stored,
} from '../../../test/testkit/attachments.ts'
import { type Data, refusal, run, upload } from '../../../test/testkit/client.ts'
import { countSettled, startService } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newProject, newWorld, type World } from '../../../test/testkit/world.ts'

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
