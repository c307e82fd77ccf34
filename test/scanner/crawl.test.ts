// What is found to ask without a description: what robots and sitemaps name, and what scripts ask when a Chromium opens the page.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, serving } from './tiny.ts'

const crawled = (handle: Handler, browser: boolean) =>
  serving(handle, (url) =>
    scan({
      target: `${url}/`,
      profile: 'BASIC',
      identities: [],
      checks: ['clickjacking'],
      browser,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

test('what robots.txt hides and a sitemap names is asked', async () => {
  const pages = new Set(['/', '/hidden/area', '/listed/page', '/further'])
  const service: Handler = ({ path, headers }) => {
    const base = `http://${headers.host}`
    if (path === '/robots.txt') {
      const lines = ['User-agent: *', 'Disallow: /hidden/area', `Sitemap: ${base}/map.xml`]
      return [200, lines.join('\n'), { 'content-type': 'text/plain' }]
    }
    if (path === '/map.xml') {
      const text = `<urlset><url><loc>${base}/listed/page?topic=tea</loc></url></urlset>`
      return [200, text, { 'content-type': 'application/xml' }]
    }
    return pages.has(path) ? [200, path === '/listed/page' ? '<a href="/further?x=1">on</a>' : '<p>x</p>'] : [404, '']
  }

  const { state, operations } = await crawled(service, false)

  expect(state).toBe('COMPLETED')
  expect(operations).toEqual(
    expect.arrayContaining(['GET /', 'GET /hidden/area', 'GET /listed/page?topic', 'GET /further?x']),
  )
})

const application: Handler = ({ path }) => {
  if (path === '/') {
    return [
      200,
      `<html><body><a href="#/orders">orders</a><script>
        const ask = (place, options) => fetch(['', 'api', place].join('/'), options)
        ask('items?page=' + 1)
        addEventListener('hashchange', () => ask('or' + 'ders/17'))
        if (location.hash === '#/orders') ask('or' + 'ders/17')
        ask('session', { method: 'DELETE' })
      </script></body></html>`,
    ]
  }
  return path.startsWith('/api/') ? [200, { id: 17 }] : [404, '']
}

test('what an application of scripts asks is known where a Chromium opens it, and what destroys is not sent', async () => {
  const asked: string[] = []
  const service: Handler = (one) => {
    asked.push(`${one.method} ${one.path}`)
    return application(one)
  }

  const without = await crawled(service, false)
  const opened = await crawled(service, true)

  expect(without.operations.filter((key) => key.includes('/api/'))).toEqual([])
  expect(opened.operations).toEqual(expect.arrayContaining(['GET /api/items?page', 'GET /api/orders/{orderId}']))
  expect(asked).not.toContain('DELETE /api/session')
})
