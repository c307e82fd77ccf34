// Imports point down only (entry, modules, engines, core), and a module uses another only through its service.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, sources } from './files.ts'

/** The order of the modules: each may use those in earlier groups, and those in its own group as long as there is no cycle. */
const order = [
  ['limits'],
  ['access'],
  ['companies'],
  ['projects', 'assets'],
  ['issues'],
  [
    'decisions',
    'deploys',
    'requirements',
    'threat-models',
    'scans',
    'tickets',
    'attachments',
    'seals',
    'secrets',
    'views',
    'certificates',
    'events',
    'jobs',
    'scoring',
    'advisories',
    'statistics',
  ],
  ['imports'],
  ['exports', 'reviews', 'dynamic-scans'],
  ['gates'],
  ['integrations'],
  ['sources', 'pulls'],
  ['sync'],
]

const layers = [
  /^src\/core\//,
  /^src\/(connectors|reports|exports|scanner|diff|review|threat-models)\//,
  /^src\/modules\//,
  /^src\/app\.ts$|^src\/(http|cli)\//,
]

const layerOf = (path: string) => layers.findIndex((layer) => layer.test(path))
const moduleOf = (path: string) => /^src\/modules\/([^/]+)\//.exec(path)?.[1]
const isTest = (path: string) => /\.test\.ts$|^(test|bench|scripts|web\/e2e)\//.test(path)

const edges = sources()
  .filter((path) => !isTest(path))
  .flatMap((path) => importsOf(path).map((target) => ({ path, target })))

test('every source of the service stands in a layer', () => {
  const homeless = sources().filter((path) => path.startsWith('src/') && layerOf(path) < 0)

  expect(homeless).toEqual([])
})

test('no source imports from a layer above it, or from tests and benchmarks', () => {
  const upward = edges.filter(({ path, target }) => {
    const isAbove = target.startsWith('src/') && layerOf(target) > layerOf(path)
    return isAbove || (path.startsWith('src/') && !target.startsWith('src/'))
  })

  expect(upward).toEqual([])
})

test('a module uses another through its service alone', () => {
  const around = edges.filter(({ path, target }) => {
    const [from, to] = [moduleOf(path), moduleOf(target)]
    return from && to && from !== to && !/\/service\.ts$/.test(target)
  })

  expect(around).toEqual([])
})

test('modules follow the order of the domain, without circles', () => {
  const rank = (module: string) => order.findIndex((group) => group.includes(module))
  const uses = new Map<string, Set<string>>()
  for (const { path, target } of edges) {
    const [from, to] = [moduleOf(path), moduleOf(target)]
    if (from && to && from !== to) uses.set(from, (uses.get(from) ?? new Set()).add(to))
  }

  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(uses.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  const against = [...uses].flatMap(([from, targets]) =>
    [...targets].filter((to) => rank(from) < 0 || rank(to) < 0 || rank(to) > rank(from)).map((to) => `${from} → ${to}`),
  )
  const circles = [...uses.keys()].filter((module) => reaches(module, module))

  expect(against).toEqual([])
  expect(circles).toEqual([])
})

test('the outside of the service meets its inside in the application alone', () => {
  const reached = edges.filter(
    ({ path, target }) => path.startsWith('src/http/') && /^src\/modules\/[^/]+\/(store|resolvers)\.ts$/.test(target),
  )

  expect(reached).toEqual([])
})

test('loading a module does nothing: what happens is set off by the application', () => {
  const effects = sources()
    .filter((path) => path.startsWith('src/modules/') && !isTest(path))
    .filter((path) =>
      /^(?:await |void )?(?!if|for|while|switch|function)[a-z][\w.]*\(/im.test(readFileSync(path, 'utf8')),
    )

  expect(effects).toEqual([])
})
