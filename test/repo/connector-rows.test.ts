// Every connector survives every failure of a vendor, as shown by an existing test, or docs/connectors.md says why it need not.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'
import { rows, SHARED } from './connector-rows.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const docs = read('docs/connectors.md')

describe.each(Object.values(connectors))('$name', ({ type }) => {
  test.each(rows)('is tested with $what, or it is said why not', ({ what, cells }) => {
    const cell = cells[type]

    if ('none' in cell) expect(docs).toContain(`${what}: ${cell.none}`)
    else expect(read(cell.file)).toContain(`'${cell.title}'`)
  })
})

test('every connector registers what all of them live through alike', () => {
  const folders = readdirSync(join(root, 'src/connectors'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

  const without = folders.filter(
    (folder) => !read(`src/connectors/${folder}/${folder}.test.ts`).includes('liveThroughTroubles({'),
  )

  expect([folders.length, without]).toEqual([Object.keys(connectors).length, []])
  expect(read(SHARED)).toContain('export function liveThroughTroubles')
})
