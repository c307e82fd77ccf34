// Expressions in parts of a page that AngularJS compiles, and in parts that it leaves alone.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

/** Greets in a page that `around` makes. */
const greeting =
  (around: (name: string) => string): Handler =>
  ({ query }) => [200, `<!doctype html><html><body>${around(escaped(query.get('name') ?? ''))}</body></html>`]

const foundAt = async (around: (name: string) => string) =>
  places(
    await findingsOf(greeting(around), ['client-side-template-injection'], {
      'GET /greeting': { query: { name: 'tea' } },
    }),
  )

test.each([
  ['a text', (name: string) => `<div ng-app><p>Hello ${name}</p></div>`],
  ['an attribute', (name: string) => `<div data-ng-app="shop"><p title="${name}">Hello</p></div>`],
])('an expression in %s below what is compiled is found', async (_, around) => {
  expect(await foundAt(around)).toEqual(['GET /greeting'])
})

test.each([
  ['no script compiles the page', (name: string) => `<div><p>Hello ${name}</p></div>`],
  ['the element is left out', (name: string) => `<div ng-app><p ng-non-bindable>Hello <b>${name}</b></p></div>`],
  ['it stands beside what is compiled', (name: string) => `<div ng-app></div><p>Hello ${name}</p>`],
  ['it stands in a script', (name: string) => `<div ng-app><script>var name = "${name}"</script></div>`],
  ['the braces are taken out', (name: string) => `<div ng-app><p>Hello ${name.replace(/[{}]/g, '')}</p></div>`],
])('nothing is found where %s', async (_, around) => {
  expect(await foundAt(around)).toEqual([])
})
