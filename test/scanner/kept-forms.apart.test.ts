// Forms whose change is kept from nobody, or with a token that is wrong, and forms that look as if.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Guards = {
  /** where the form is taken, and not only where it is shown */
  asksSession: boolean
  comparesToken: boolean
  /** the form is shown to everybody */
  isOpen?: boolean
  /** what was refused is shown once more, for correction */
  showsRefused?: boolean
}

/** Notes that people who are signed in write by a form. */
const notes = ({ asksSession, comparesToken, isOpen = false, showsRefused = false }: Guards): Handler => {
  const tokens = new Map<string, string>()
  const signedIn = new Set<string>()
  const kept: string[] = []
  let refused = ''
  return ({ method, path, headers, body }) => {
    const sid = /sid=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID()
    const set = { 'set-cookie': `sid=${sid}; HttpOnly` }
    const fields = new URLSearchParams(String(body))
    const token = tokens.get(sid) ?? randomUUID()
    tokens.set(sid, token)
    if (path === '/login' && method === 'GET')
      return [200, '<form method="post"><input name="username"><input type="password" name="password"></form>', set]
    if (path === '/login') {
      if (fields.get('password') === 'tulip-field-4') signedIn.add(sid)
      return [302, '', { location: signedIn.has(sid) ? '/notes' : '/login', ...set }]
    }
    if (method === 'POST') {
      const isRefused =
        (asksSession && !signedIn.has(sid)) ||
        (comparesToken && fields.get('csrf_token') !== token) ||
        !fields.get('note')
      if (isRefused && showsRefused) refused = fields.get('note') ?? ''
      if (isRefused) return [403, '<p>no</p>']
      kept.push(fields.get('note') ?? '')
      return [302, '', { location: '/notes' }]
    }
    if (path !== '/notes') return [302, '', { location: '/notes', ...set }]
    const form = `<form method="post" action="/notes"><input type="hidden" name="csrf_token" value="${token}"><input name="note" value="${refused}"></form>`
    refused = ''
    const list = kept.map((note) => `<li>${note.replaceAll('<', '&lt;')}</li>`).join('')
    return [200, `${signedIn.has(sid) || isOpen ? form : '<p>Sign in</p>'}<ul>${list}</ul>`, set]
  }
}

const found = async (guards: Guards) => {
  const findings = await findingsOf(
    notes(guards),
    ['form-without-sign-in', 'forged-request-guard-unchecked'],
    {},
    (url) => ({
      schema: null,
      crawl: true,
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'tulip-field-4' },
        },
      ],
    }),
  )
  return findings.map(({ check }) => check).sort()
}

test.each<[string, Guards, string[]]>([
  [
    'asks for nothing',
    { asksSession: false, comparesToken: false },
    ['forged-request-guard-unchecked', 'form-without-sign-in'],
  ],
  ['asks for a session alone', { asksSession: true, comparesToken: false }, ['forged-request-guard-unchecked']],
  ['asks for a session and its token', { asksSession: true, comparesToken: true }, []],
  [
    'asks for a session and shows again what it refused',
    { asksSession: true, comparesToken: true, showsRefused: true },
    [],
  ],
  ['is shown to everybody and asks for no session', { asksSession: false, comparesToken: true, isOpen: true }, []],
])('a form that %s', async (_, guards, expected) => {
  expect(await found(guards)).toEqual(expected)
})
