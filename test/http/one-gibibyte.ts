// Uploads one gibibyte to a service and prints how much memory that took: node test/http/one-gibibyte.ts

import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOUNDARY, filePart, mapPart, multipart, operationsPart } from './parts.ts'

const MiB = 1024 * 1024
const SIZE = 1024
const PORT = '4899'
const url = `http://127.0.0.1:${PORT}`

/** Measures the process that holds the data, which the launcher has started as a child. */
const residentMiB = async (directory: string): Promise<number> => {
  const { pid } = JSON.parse(await readFile(join(directory, 'serve.lock'), 'utf8'))
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await check().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The server did not become ready')
}

const CREATE = `mutation ($input: CreateAttachmentInput!) {
  createAttachment(input: $input) { attachment { id size } } }`

/** Streams a request with a file generated on the fly, and resolves to the body of the answer. */
function stream(key: string, companyId: string): Promise<string> {
  const input = { companyId, archive: null }
  const parts = [operationsPart({ input }, CREATE), mapPart({ 0: ['variables.input.archive'] }), filePart('0', '')]
  const whole = Buffer.from(multipart(parts))
  const split = whole.indexOf('text/plain\r\n\r\n') + 'text/plain\r\n\r\n'.length
  const piece = Buffer.alloc(MiB, 'x')
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    const sending = request(`${url}/graphql`, { method: 'POST', headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
    })
    sending.on('error', reject)
    const send = async () => {
      sending.write(whole.subarray(0, split))
      for (let count = 0; count < SIZE; count += 1) {
        if (!sending.write(piece)) await new Promise((next) => sending.once('drain', next))
      }
      sending.end(whole.subarray(split))
    }
    send().catch(reject)
  })
}

async function post(key: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text()
}

const data = await mkdtemp(join(tmpdir(), 'merlon-gibibyte-'))
const server = spawn(process.execPath, ['bin/start.mjs'], {
  env: { ...process.env, MERLON_DATA: data, PORT, MERLON_ATTACHMENT_BYTES: String(2 * SIZE * MiB), LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await until(async () => (await fetch(`${url}/readyz`)).ok)
  const key = (await readFile(join(data, 'admin-key'), 'utf8')).trim()
  const created = await post(key, 'mutation { createCompany(input: { label: "Large" }) { company { id } } }')
  const companyId = /"id":"(\d+)"/.exec(created)?.[1] ?? ''
  const before = await residentMiB(data)
  let peak = before
  const watch = setInterval(async () => {
    peak = Math.max(peak, await residentMiB(data))
  }, 50)
  const started = performance.now()
  const answer = await stream(key, companyId)
  clearInterval(watch)
  const after = await residentMiB(data)
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`${answer}\n`)
  process.stdout.write(
    `${SIZE} MiB in ${seconds.toFixed(1)} s; resident memory ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} at most, ${after.toFixed(0)} after\n`,
  )
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  await rm(data, { recursive: true, force: true })
}
