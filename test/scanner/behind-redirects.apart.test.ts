// Pages that go on behind the redirect by which they send somebody away, and pages that end there.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const PAPERS = '<h1>Papers</h1><p>Contract of May</p><p>Contract of June</p><p>Bill 17</p><p>Bill 18</p><p>Letter</p>'

const desk =
  (sent: string): Handler =>
  ({ user }) =>
    user === null ? [302, sent, { location: '/login' }] : [200, PAPERS]

const found = (handle: Handler) => findingsOf(handle, ['page-behind-redirect'], { 'GET /papers': {} })

test('a page that goes on behind its redirect is found', async () => {
  const findings = await found(desk(PAPERS))

  expect(findings.map(({ operation, cwes }) => [operation, cwes])).toEqual([['GET /papers', [698, 306]]])
})

test('a redirect with a sentence, or with what stands on every page, is none', async () => {
  expect(await found(desk('<p>Found. Redirecting to /login</p>'))).toEqual([])
  expect(await found(desk('<h1>Papers</h1><p>Sign in first</p>'))).toEqual([])
})
