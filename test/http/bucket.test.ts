// A service whose files are in a bucket: uploads go there, downloads and reviews come from there, and nothing else is kept on its disk.

import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runReview } from '../../src/modules/reviews/jobs.ts'
import { type FakeBucket, openBucket } from '../testkit/bucket.ts'
import { type Data, runAt } from '../testkit/client.ts'
import { commit, DEPLOY, DIFF, inline, newHome, PIPELINE } from '../testkit/deploys.ts'
import { newWorld, type World } from '../testkit/world.ts'
import { type Apart, startApart } from './apart.ts'
import { BOUNDARY, filePart, mapPart, multipart, operationsPart, storedFiles } from './parts.ts'
import { codesOf, send } from './send.ts'

const ATTACH = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }`

let bucket: FakeBucket
let apart: Apart
let world: World
beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'known'
  process.env.AWS_SECRET_ACCESS_KEY = 'also known'
  bucket = await openBucket('files')
  apart = await startApart({ MERLON_OBJECTS: 's3://files/one', MERLON_OBJECTS_ENDPOINT: bucket.endpoint })
  world = await newWorld()
})
beforeEach(() => {
  bucket.troubles.length = 0
})
afterAll(async () => {
  await apart.stop()
  await bucket.stop()
})

const attach = (content: string) =>
  send({
    url: apart.service.url,
    body: multipart([
      operationsPart({ input: { companyId: world.companyId, archive: null } }, ATTACH),
      mapPart({ 0: ['variables.input.archive'] }),
      filePart('0', content),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'x-api-key': world.owner.key },
  })

/** The path of an attachment with this content. */
async function attached(content: string): Promise<string> {
  const { data } = await attach(content)
  return `/attachments/${(data as Data).createAttachment.attachment.id}`
}

const download = (path: string, headers: Record<string, string> = {}) =>
  send({ url: apart.service.url, path, method: 'GET', headers: { 'x-api-key': world.owner.key, ...headers } })

const stored = () => [...bucket.objects.keys()].filter((key) => /^one\/[0-9a-f]{40}$/.test(key))

test('a file is uploaded to the bucket, and downloaded from it whole and in part', async () => {
  const before = stored().length

  const path = await attached('some text that is kept')
  const whole = await download(path)
  const part = await download(path, { range: 'bytes=5-8' })

  expect([whole.status, whole.text]).toEqual([200, 'some text that is kept'])
  expect([part.status, part.text]).toEqual([206, 'text'])
  expect(stored()).toHaveLength(before + 1)
  expect(storedFiles(join(apart.data, 'objects'))).toEqual([])
})

test('a deploy is made from a diff in the bucket, and reviewed', async () => {
  const home = await newHome()
  const input = { assetId: home.assetId, previousCommit: commit('1'), currentCommit: commit('2'), branchName: 'main' }
  const asked = { ...input, diffContent: inline(DIFF), commitHistory: null }

  const { deploy } = (await runAt(apart.service.url, home.key, PIPELINE, asked)).createDeploy
  await runReview(apart.service.app.parts, { companyId: home.companyId, id: deploy.id })
  const reviewed = await runAt(
    apart.service.url,
    home.key,
    'query ($id: ID!) { deploy(id: $id) { review { state } } }',
    {
      id: deploy.id,
    },
  )
  const shown = await runAt(apart.service.url, home.key, DEPLOY, { id: deploy.id })

  expect(shown.deploy).toMatchObject({ diffState: 'PARSED', added: 3, removed: 1 })
  expect(reviewed.deploy.review.state).toBe('DONE')
})

test('an upload that the bucket refuses makes no attachment, and leaves nothing', async () => {
  const before = stored()
  bucket.troubles.push({ kind: 'REFUSES', status: 403, code: 'AccessDenied' })

  const refused = await attach('never kept')

  expect(codesOf(refused)).toEqual(['UNAVAILABLE'])
  expect(stored()).toEqual(before)
  expect(storedFiles(join(apart.data, 'objects'))).toEqual([])
})

test('a download of an object that the bucket has lost says so', async () => {
  const path = await attached('soon lost')
  bucket.objects.clear()

  const lost = await download(path)

  expect(lost).toMatchObject({
    status: 503,
    errors: [
      {
        message: 'The file is not in MERLON_OBJECTS, which all nodes share',
        extensions: { code: 'UNAVAILABLE', retryable: false },
      },
    ],
  })
})
