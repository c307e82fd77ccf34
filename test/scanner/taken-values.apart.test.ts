// What is made must be new: a script that is stored is found where the same form is refused the second time.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Handler, serving } from './tiny.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Products, of which each has a code of its own. */
function products(show: (name: string) => string): Handler {
  const kept = new Map<string, string>()
  return ({ method, path, body }) => {
    if (path === '/') return [200, '<a href="/new">new</a> <a href="/list">all</a>']
    if (path === '/list')
      return [200, `<ul>${[...kept.values()].map((name) => `<li>${show(name)}</li>`).join('')}</ul>`]
    if (path !== '/new') return [404, '']
    const form = '<form method="post"><input name="name"><input name="code"><button>Add</button></form>'
    if (method !== 'POST') return [200, form]
    const sent = new URLSearchParams(String(body))
    const code = sent.get('code') ?? ''
    if (code === '' || kept.has(code)) return [200, `<p>This code is taken</p>${form}`]
    kept.set(code, sent.get('name') ?? '')
    return [302, '', { location: '/list' }]
  }
}

const found = async (show: (name: string) => string) => {
  const outcome = await serving(products(show), (url) =>
    scan({
      target: `${url}/`,
      profile: 'DEEP',
      identities: [],
      checks: ['cross-site-scripting', 'stored-cross-site-scripting'],
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )
  return outcome.findings.map(({ check, parameter }) => [check, parameter?.name])
}

test('a script in a field beside one that has to be new is found, and none where it is escaped', async () => {
  expect(await found((name) => name)).toEqual([['stored-cross-site-scripting', 'name']])
  expect(await found(escaped)).toEqual([])
})
