// Every operation of the schema is documented, sampled and tested, and the index of the contract links to it.

import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { takingFiles } from '../../src/modules/taking-files.ts'
import { calls } from '../contract/samples/index.ts'
import { projectFiles } from './files.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

const rootFieldsOf = (path: string): string[] => {
  const schema = buildSchema(read(path), { assumeValidSDL: true })
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}))
}

const operations = rootFieldsOf('schema.graphql')

const wordsOf = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => read(path).match(/\w+/g) ?? []))

test('every operation stands in the documents of the contract', () => {
  const pages = projectFiles().filter((path) => /^docs\/contract\/.*\.md$/.test(path))
  const documented = wordsOf(pages)

  expect(operations.filter((name) => !documented.has(name))).toEqual([])
})

test('every operation stands in a test', () => {
  const tested = wordsOf(projectFiles().filter((path) => path.endsWith('.test.ts')))

  expect(operations.filter((name) => !tested.has(name))).toEqual([])
})

test('every operation has a sample', () => {
  const sampled = new Set(calls.map(({ field }) => field))

  expect(operations.filter((name) => !sampled.has(name))).toEqual([])
})

test('the index of the contract names every published operation, with tests that name it', () => {
  const index = read('docs/contract.md')
  const rows = index.split('\n').filter((line) => line.startsWith('| `'))

  const published = rootFieldsOf('test/contract/contract.graphql')

  expect(published.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\``)))).toEqual([])
  const tests = rows.flatMap((row) => {
    const [, operation = ''] = /^\| `(\w+)`/.exec(row) ?? []
    return [...row.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, path = '']) => ({ operation, path }))
  })
  expect(tests.length).toBeGreaterThan(published.length)
  expect(
    tests.filter(({ operation, path }) => !projectFiles().includes(path) || !wordsOf([path]).has(operation)),
  ).toEqual([])
})

/** Whether a value of the type can contain a file at any depth. */
const holdsFile = (type: GraphQLInputType, seen: readonly string[] = []): boolean => {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return named.name === 'Upload'
  if (seen.includes(named.name)) return false
  return Object.values(named.getFields()).some((field) => holdsFile(field.type, [...seen, named.name]))
}

test('every mutation that takes files says who may send them', () => {
  const schema = buildSchema(read('schema.graphql'), { assumeValidSDL: true })
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})

  const taking = fields.filter(({ args }) => args.some(({ type }) => holdsFile(type)))

  expect(taking.map(({ name }) => name).sort()).toEqual([...takingFiles.keys()].sort())
})
