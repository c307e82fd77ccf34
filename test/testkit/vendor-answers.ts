// Vendors' worst answers, and paged lists, as steps of a fake.

import type { Answer } from './exchanges.ts'
import type { Step } from './vendor-fake.ts'
import { get, json } from './vendor-fake.ts'

/** Every form of rate limiting: what a vendor sends with its 429. */
export const tooMany = {
  seconds: (seconds = 2): Answer => ({ status: 429, text: 'Retry later', headers: { 'retry-after': String(seconds) } }),
  date: (at: Date): Answer => ({ status: 429, json: {}, headers: { 'retry-after': at.toUTCString() } }),
  reset: (header: string, at: Date): Answer => ({
    status: 429,
    json: {},
    headers: { [header]: String(Math.ceil(at.getTime() / 1000)) },
  }),
  page: (): Answer => ({
    status: 429,
    text: '<html><body>Too many requests</body></html>',
    headers: { 'content-type': 'text/html', 'retry-after': '1' },
  }),
  silent: (): Answer => ({ status: 429, json: {} }),
}

export const serverError = (status = 502): Answer => ({ status, text: 'upstream' })
export const wrongShape = (): Answer => json({ unexpected: [true] })
export const webPage = (status = 200): Answer => ({
  status,
  text: '<!doctype html><title>Sign in</title>',
  headers: { 'content-type': 'text/html; charset=utf-8' },
})

/** A body of 1 GB after `first`, sent as long as somebody reads; `chunk` is 64 KiB of it. */
export const gigabyte = (first = '', chunk = `[${' '.repeat(65_534)}]`): Answer => ({
  write(response) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(first)
    let left = 16_384
    const go = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1
        if (!response.write(chunk)) return void response.once('drain', go)
      }
      response.end()
    }
    go()
  },
})

export const cutInTheMiddle = (): Answer => ({
  write(response) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"half":', () => response.destroy())
  },
})

/** Accepts the request and never answers. */
export const silent = (): Answer => ({ write: () => {} })

type Listed = { origin: string; path: string; query?: Record<string, string> }

/** Pages linked by `Link: <…>; rel="next"`; the next address has `page` in its query. */
export const pagesByLink = ({ origin, path, query = {} }: Listed, pages: readonly unknown[]): Step[] =>
  pages.map((page, index) => {
    const next = `${origin}${path}?${new URLSearchParams({ ...query, page: String(index + 2) })}`
    const headers: Record<string, string> = index < pages.length - 1 ? { link: `<${next}>; rel="next"` } : {}
    return get(path, json(page, { headers }), { query: index === 0 ? query : { ...query, page: String(index + 1) } })
  })

/** Pages whose body names the next one; `bodyOf` combines a page with the next address, or null after the last. */
export const pagesByNext = (
  { origin, path, query = {} }: Listed,
  pages: readonly unknown[],
  bodyOf: (page: unknown, next: string | null) => unknown,
): Step[] =>
  pages.map((page, index) => {
    const next = `${origin}${path}?${new URLSearchParams({ ...query, page: String(index + 2) })}`
    const body = bodyOf(page, index < pages.length - 1 ? next : null)
    return get(path, json(body), { query: index === 0 ? query : { ...query, page: String(index + 1) } })
  })

/** A foreign address that a next link or a redirect may name; nothing answers there. */
export const FOREIGN = 'https://elsewhere.example.test/steal'
