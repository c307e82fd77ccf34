// Uploads are refused before the first file is stored, while the body still arrives.

import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { objectsDirectory, serviceUrl } from '../../test/testkit/service.ts'
import { newPerson, newWorld } from '../../test/testkit/world.ts'

const CREATE = 'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }'

const stored = () =>
  readdirSync(objectsDirectory(), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())

/** Sends operations, a map, and the beginning of a file that never ends; answers with what comes back meanwhile. */
async function begin(key: string, operations: object, place: string) {
  const boundary = 'between'
  const part = (name: string, text: string, filename = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n\r\n${text}`
  const sending = request(`${await serviceUrl()}/graphql`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'x-api-key': key,
      accept: 'application/graphql-response+json',
    },
  })
  onTestFinished(() => void sending.destroy())
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString('utf8') })
    })
  })
  sending.write(`${part('operations', JSON.stringify(operations))}\r\n`)
  sending.write(`${part('map', JSON.stringify({ 0: [place] }))}\r\n`)
  sending.write(part('0', 'a'.repeat(200_000), '; filename="a.txt"'))
  const { status, body } = await answered
  const { data, errors = [] } = JSON.parse(body)
  return { status, data, codes: errors.map((error: { extensions: { code: string } }) => error.extensions.code) }
}

test('a file is not stored for an operation that its sender may call nowhere', async () => {
  const { companyId } = await newWorld()
  const reader = await newPerson(companyId, 'READER')
  const before = stored().length

  const variables = { input: { companyId, archive: null } }
  const answer = await begin(reader.key, { query: CREATE, variables }, 'variables.input.archive')

  expect(answer).toEqual({ status: 403, data: undefined, codes: ['FORBIDDEN'] })
  expect(stored()).toHaveLength(before)
})

test('a file is not stored for an operation that takes none at its place', async () => {
  const { owner } = await newWorld()
  const before = stored().length

  const operations = { query: '{ viewer { email } }', variables: { files: [null] } }
  const answer = await begin(owner.key, operations, 'variables.files.0')

  expect(answer).toEqual({ status: 400, data: undefined, codes: ['BAD_REQUEST'] })
  expect(stored()).toHaveLength(before)
})

test('a file is not stored for a document that is refused, and the answer says why it is', async () => {
  const { owner } = await newWorld()
  const before = stored().length

  const operations = { query: 'mutation ($file: Upload!) { nothing(file: $file) }', variables: { file: null } }
  const answer = await begin(owner.key, operations, 'variables.file')

  expect(answer).toEqual({ status: 400, data: undefined, codes: ['GRAPHQL_VALIDATION_FAILED'] })
  expect(stored()).toHaveLength(before)
})
