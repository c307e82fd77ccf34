// A file is fetched within its limits, and only from where it may come from.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchBytes, fetchStream, isFeedUrl } from './outbound-file.ts'

let server: Server
let home = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/file') response.end('what is there')
    else if (request.url === '/moved') response.writeHead(302, { location: '/file' }).end()
    else if (request.url === '/away') response.writeHead(302, { location: 'http://192.0.2.1/file' }).end()
    else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end()
    else if (request.url === '/large') response.end('x'.repeat(2000))
    else if (request.url !== '/silent') response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const bounds = { largest: 1000, timeout: 60_000 }

test.each(['/file', '/moved'])('%s is fetched', async (path) => {
  const bytes = await fetchBytes(home + path, bounds)

  expect(bytes.toString()).toBe('what is there')
})

test.each([
  ['/away', /is not an https address/],
  ['/round', /too many redirects/],
  ['/large', /the response is too large/],
  ['/missing', /the answer was 404/],
])('%s is not', async (path, why) => {
  await expect(fetchBytes(home + path, bounds)).rejects.toThrow(why)
})

const textOf = async (path: string) => {
  let text = ''
  for await (const chunk of fetchStream(home + path, bounds)) text += Buffer.from(chunk).toString()
  return text
}

test('a file that is read while it comes keeps to the same bounds', async () => {
  expect(await textOf('/moved')).toBe('what is there')
  await expect(textOf('/large')).rejects.toThrow(/the response is too large/)
  await expect(textOf('/missing')).rejects.toThrow(/the answer was 404/)
})

test('what does not answer is left in time', async () => {
  await expect(fetchBytes(`${home}/silent`, { ...bounds, timeout: 50 })).rejects.toThrow(
    /no complete response arrived in time/,
  )
})

test('a feed comes over https, or from this machine', () => {
  const addresses = [
    'https://feeds.example.test/epss.csv.gz',
    'http://localhost:8080/kev.json',
    'http://feeds.example.test/kev.json',
    'https://user:word@feeds.example.test/',
    'file:///etc/passwd',
    'kev.json',
  ]

  expect(addresses.map(isFeedUrl)).toEqual([true, true, false, false, false, false])
})
