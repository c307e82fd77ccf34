// Where a sign-in leads is followed, though no other page leads there, and one page under many addresses is told of once.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const SIGN_IN = '<form action=/in method=post><input name=user><input name=pin type=password></form>'

/** A start page with a sign-in alone, and a home with a search that only the sign-in leads to. */
const club: Handler = ({ path, method, headers, query, body }) => {
  const isIn = headers.cookie?.includes('sid=') === true
  if (path === '/in' && method === 'POST')
    return String(body).includes('ann-pass')
      ? [302, '', { location: '/home', 'set-cookie': 'sid=4f2d9ab1c07e4e1db1f0; HttpOnly' }]
      : [302, '', { location: '/' }]
  if (path === '/home')
    return isIn
      ? [200, '<h1>Hello</h1><form action=/find><input name=word></form>']
      : [302, '', { location: '/?login' }]
  if (path === '/find') return [200, `<p>Nothing for ${query.get('word')}</p>`]
  return path === '/' ? [200, SIGN_IN] : [404, '<h1>None</h1>']
}

const asAnn = (target: string) => ({
  schema: null,
  crawl: true,
  identities: [
    {
      name: 'ann',
      headers: [],
      cookies: [],
      query: [],
      login: { type: 'FORM' as const, url: `${target}/`, username: 'ann', password: 'ann-pass' },
    },
  ],
})

test('the page that a sign-in leads to is followed', async () => {
  expect(places(await findingsOf(club, ['cross-site-scripting'], {}, asAnn))).toEqual(['GET /find?word'])
})

test('somebody signs in by the form for it, and not by one to sign up that stands before it', async () => {
  const signUp = '<form action=/new method=post><input name=user><input name=pin type=password><input name=mail></form>'
  const withSignUp: Handler = (asked) => {
    if (asked.path === '/new') return [200, '<p>Welcome, somebody new</p>']
    return asked.path === '/' ? [200, signUp + SIGN_IN] : club(asked)
  }

  expect(places(await findingsOf(withSignUp, ['cross-site-scripting'], {}, asAnn))).toEqual(['GET /find?word'])
})

test('what a list leads to only when a form has added to it is asked', async () => {
  const notes: string[] = []
  const list: Handler = ({ path, method, body, query }) => {
    if (method === 'POST') return [notes.push(String(body)) && 302, '', { location: '/added' }]
    if (path === '/added') return [200, '<p>Added</p>']
    if (path === '/read') return [200, `<p>${query.get('note')}</p>`]
    const links = notes.length > 0 ? '<a href="/read?note=first">Read</a>' : ''
    return path === '/' ? [200, `<form method=post action=/add><input name=text></form>${links}`] : [404, '']
  }

  const findings = await findingsOf(list, ['cross-site-scripting'], {}, { schema: null, crawl: true, identities: [] })

  expect(places(findings)).toEqual(['GET /read?note'])
})

test('a start page that answers every path is reported once', async () => {
  const everywhere: Handler = ({ method }) => (method === 'GET' ? [200, SIGN_IN.replace('/in', 'in')] : [405, ''])

  const findings = await findingsOf(everywhere, ['insecure-form'], {}, { schema: null, crawl: true, identities: [] })

  expect(places(findings)).toEqual(['GET /'])
})
