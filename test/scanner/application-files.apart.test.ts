// Files of the application by a value that names a file: what nobody is meant to get is found, and nothing else.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const ENVIRONMENT = 'APP_ENV=production\nDB_PASSWORD=sunflower-field-42\n'
const papers: Record<string, string> = { 'terms.txt': 'Pay first.' }

const shelf =
  (read: (name: string) => string | undefined): Handler =>
  ({ query }) => {
    const text = read(query.get('file') ?? '')
    return text === undefined ? [404, '<p>There is none</p>'] : [200, text, { 'content-type': 'text/plain' }]
  }

const found = async (handle: Handler, file = 'terms.txt') =>
  places(await findingsOf(handle, ['application-files', 'path-traversal'], { 'GET /paper': { query: { file } } }))

test.each([
  ['beside the papers', '.env'],
  ['above their folder', '../.env'],
])('settings of the environment %s are found', async (_, name) => {
  expect(await found(shelf((file) => (file === name ? ENVIRONMENT : papers[file])))).toEqual(['GET /paper'])
})

test.each<[string, Handler]>([
  ['names of a list', shelf((file) => papers[file])],
  ['any name with one and the same text', shelf(() => ENVIRONMENT)],
  ['any hidden name with the same text', shelf((file) => (file.includes('.') ? ENVIRONMENT : undefined))],
  ['the name itself', shelf((file) => `FILE=${file}\n`)],
])('what answers %s is not found', async (_, handle) => {
  expect(await found(handle)).toEqual([])
})

test('a value that names no file is not asked for files', async () => {
  const asked: string[] = []

  await found(
    shelf((file) => {
      asked.push(file)
      return file
    }),
    'monday',
  )

  expect(asked.filter((file) => file.endsWith('.env'))).toEqual([])
})
