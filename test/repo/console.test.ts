// The console's rules: it knows only the contract, asks what is valid and cheap, links to what exists, and loads fast.

import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildSchema, type DocumentNode, Kind, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/core/config.ts'
import { documentLimitsOf, exceededLimit, measureDocument } from '../../src/http/limits.ts'
import { actions } from '../../src/modules/access/permissions.ts'
import { kindsOf } from '../../src/modules/events/kinds.ts'
import { importsOf, sources } from './files.ts'

const defaultDocumentLimits = documentLimitsOf(readConfig({}).limits)

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const web = sources().filter((path) => path.startsWith('web/'))

/** Every document written in the console, to be combined with the fragments of all of them. */
const documents = web.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/\bgraphql\(\s*`([^`]*)`/g)].map(([, text = '']) => ({ path, text })),
)
const fragments = documents.flatMap(({ text }) =>
  parse(text).definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION),
)

/** An operation with the fragments that it uses, directly or indirectly. */
function whole(text: string): DocumentNode {
  const parsed = parse(text)
  const definitions = parsed.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const wanted = new Set<string>()
  const follow = (source: string) => {
    for (const [, name = ''] of source.matchAll(/\.\.\.\s*(?!on\b)(\w+)/g)) {
      const fragment = fragments.find((known) => known.name.value === name)
      if (!fragment || wanted.has(name)) continue
      wanted.add(name)
      follow(fragment.loc?.source.body ?? '')
    }
  }
  follow(text)
  return { ...parsed, definitions: [...definitions, ...fragments.filter(({ name }) => wanted.has(name.value))] }
}

const operations = documents
  .map(({ path, text }) => ({ path, document: whole(text) }))
  .filter(({ document }) => document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION))

test('every document of the console fits the contract', () => {
  const faults = operations.flatMap(({ path, document }) =>
    validate(schema, document).map(({ message }) => `${path}: ${message}`),
  )

  expect(operations.length).toBeGreaterThan(5)
  expect(faults).toEqual([])
})

test('every document of the console stays under half of each limit, whatever its variables', () => {
  const { tokens, bytes, ...limits } = defaultDocumentLimits
  const half = { depth: limits.depth, aliases: limits.aliases / 2, cost: limits.cost / 2 }

  const dear = operations.flatMap(({ path, document }) => {
    const { cost: measured } = measureDocument(schema, document, undefined, {}, { maxPageSize: 1_000 })
    const exceeded = exceededLimit(measured, half)
    return exceeded ? [`${path}: ${exceeded}`] : []
  })

  expect(tokens * bytes).toBeGreaterThan(0)
  expect(dear).toEqual([])
})

test('the console and the service import nothing of each other', () => {
  const across = sources()
    .filter((path) => /^(web|src)\//.test(path))
    .flatMap((path) => importsOf(path).map((target) => ({ path, target })))
    .filter(
      ({ path, target }) =>
        (path.startsWith('web/') && target.startsWith('src/')) ||
        (path.startsWith('src/') && target.startsWith('web/')),
    )
    // The browser tests start the service that they test.
    .filter(({ path }) => !path.startsWith('web/e2e/'))

  expect(across).toEqual([])
})

test('what the console says that a role may do is what the service lets it do', async () => {
  // Imported by address, so that the console's browser types stay out of this program.
  const { actions: shown } = await import(pathToFileURL('web/api/permissions.ts').href)

  expect(Object.keys(shown).length).toBeGreaterThan(0)
  expect(actions).toMatchObject(shown)
})

test('the events that the console offers to a webhook are those that the service tells one', async () => {
  const { eventKinds } = await import(pathToFileURL('web/pages/settings/event-kinds.ts').href)
  const told = Object.entries(kindsOf)
    .filter(([thing]) => thing !== 'delivery')
    .flatMap(([thing, kinds]) => [`${thing}.*`, ...kinds.map((kind) => `${thing}.${kind}`)])

  expect([...eventKinds].sort()).toEqual(['*', ...told].sort())
})

test('addresses of the console are written in its path builder and its routes alone', () => {
  const elsewhere = web
    .filter((path) => !/^web\/(e2e\/|util\/path-builder\.ts|routes\.tsx|vite)/.test(path))
    .filter((path) => /['"`]\/(companies|settings)\b/.test(readFileSync(path, 'utf8')))

  expect(elsewhere).toEqual([])
})

test('colours stand in the tokens alone', () => {
  const styles = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !/^dist|tokens\.css$/.test(name))
    .filter((name) => /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\((?!from)/i.test(readFileSync(`web/${name}`, 'utf8')))

  expect(styles).toEqual([])
})
