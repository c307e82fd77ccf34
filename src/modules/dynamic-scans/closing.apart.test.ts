// A flaw that was fixed is closed by two scans that no longer see it, even where the fix changes what a scan meets.

import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { findings, listening, newTarget, scanned } from '../../../test/testkit/dynamic-scans.ts'

/** Once it is fixed, its forms have tokens, its settings are handed out no more, and it refuses whoever guesses. */
const shop = (isFixed: () => boolean): RequestListener => {
  let guesses = 0
  const token = () => (isFixed() ? '<input type="hidden" name="csrf_token" value="ab12cd34ef56">' : '')
  const form = (action: string, fields: string) =>
    `<html><body><form method="post" action="${action}">${token()}${fields}<button>Go</button></form></body></html>`
  const signIn = form('/signin', '<input name="username"><input type="password" name="password">')
  return async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = new URLSearchParams(Buffer.concat(chunks).toString())
    const { pathname } = new URL(request.url ?? '/', 'http://target.test')
    const answer = (status: number, text: string, type = 'text/html') =>
      response.writeHead(status, { 'content-type': type }).end(text)
    if (pathname === '/.env' && !isFixed()) return answer(200, 'DB_HOST=db\nDB_PASSWORD=Tulip-4-Field\n', 'text/plain')
    if (pathname === '/') return answer(200, `${form('/find', '<input name="q">')}<a href="/signin">Sign in</a>`)
    if (pathname === '/find') {
      const term = sent.get('q') ?? ''
      return answer(200, `<p>${isFixed() ? term.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : term}</p>`)
    }
    if (pathname !== '/signin') return answer(404, 'not here')
    if (request.method === 'GET') return answer(200, signIn)
    guesses += isFixed() ? 1 : 0
    return guesses > 5 ? answer(429, 'Too many attempts') : answer(401, `<p>Wrong password</p>${signIn}`)
  }
}

test('a form that got a token, a file that is handed out no more and guesses that are refused close what was found there', async () => {
  let isFixed = false
  const home = await newTarget(await listening(shop(() => isFixed)))
  const rules = ['cross-site-scripting', 'hidden-file', 'unlimited-guessing']
  const standing = async () =>
    (await findings(home))
      .filter(({ rule }) => rules.includes(rule))
      .map(({ rule, status }) => `${rule} ${status}`)
      .sort()

  await scanned(home)
  const found = await standing()
  isFixed = true
  await scanned(home)
  const afterOne = await standing()
  await scanned(home)

  expect(found).toEqual(rules.map((rule) => `${rule} CREATED`))
  expect(afterOne).toEqual(found)
  expect(await standing()).toEqual(rules.map((rule) => `${rule} FIX_ACCEPTED`))
})
