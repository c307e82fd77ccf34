// Statements that a quote breaks, where the driver's errors of all kinds bear the same name.

import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const columns = new Set(['name', 'price'])

/** Searches by a column; `isSafe`: one that is not there is refused as the database refuses it, and the word is bound. */
function search(isSafe: boolean): Handler {
  const database = new DatabaseSync(':memory:')
  database.exec('create table beer (name text, price integer)')
  return ({ path }) => {
    const [, , column = '', word = ''] = path.split('/').map(decodeURIComponent)
    try {
      if (isSafe && !columns.has(column)) throw new Error(`no such column: ${column}`)
      const found = isSafe
        ? database.prepare(`select * from beer where ${column} = ?`).all(word)
        : database.prepare(`select * from beer where ${column} = '${word}'`).all()
      return [200, found]
    } catch (error) {
      return [501, `DatabaseError: SQLITE_ERROR: ${error instanceof Error ? error.message : ''}`]
    }
  }
}

const described = { 'GET /search/{filter}/{query}': { path: { filter: 'merlon', query: 'tea' } } }

test('a quote that breaks a statement is distinguished from a missing column', async () => {
  const [broken, mended] = await Promise.all(
    [false, true].map((isSafe) => findingsOf(search(isSafe), ['sql-injection-error'], described)),
  )

  expect(broken?.map(({ parameter }) => parameter?.name).sort()).toEqual(['filter', 'query'])
  expect(places(mended ?? [])).toEqual([])
})
