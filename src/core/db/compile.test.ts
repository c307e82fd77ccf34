// Texts of statements: made once for the same templates, and the same as Kysely makes.

import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { RememberingCompiler } from './compile.ts'

const compilingWith = (compiler: PostgresQueryCompiler) =>
  new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => ({}) as never,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })

const [ours, theirs] = [compilingWith(new RememberingCompiler()), compilingWith(new PostgresQueryCompiler())]

/** Of our compiler, the second time that it is asked. */
const again = (make: () => RawBuilder<unknown>) => {
  make().compile(ours)
  return make().compile(ours)
}

const narrowed = (column: string, value: unknown): RawBuilder<unknown> =>
  sql`select ${sql.ref(column)} from ${sql.table('issue')} where ${sql.id('a', 'b')} = ${value} ${sql`and ${value} is null`}`

test.each<[string, () => RawBuilder<unknown>]>([
  ['values', () => sql`select ${1}, ${'two'}, ${[3]}`],
  ['parts in parts', () => sql`with one as (${narrowed('issue.id', 7)}) select ${sql`${'in it'}`}`],
  ['lists', () => sql`select ${sql.join([sql`${1}`, sql`now()`, sql`${2}`])}`],
  ['texts as they are', () => sql`select ${sql.raw('1 as one')}, ${sql.lit(5)}`],
])('a statement with %s has the text and the values that Kysely gives it', (_, make) => {
  const { sql: text, parameters } = make().compile(theirs)

  expect(again(make)).toMatchObject({ sql: text, parameters })
})

test('statements of one template have the values of their own', () => {
  const of = (value: string) => narrowed('id', value).compile(ours)

  expect([of('a').parameters, of('b').parameters]).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
  expect(of('a').sql).toBe(of('b').sql)
})

test('names and texts that a template is given are part of what it says', () => {
  const texts = ['id', 'title'].map((column) => narrowed(column, 1).compile(ours).sql)
  const joined = [1, 2].map(
    (count) => sql`select ${sql.join(Array.from({ length: count }, () => sql`${0}`))}`.compile(ours).sql,
  )

  expect(new Set(texts).size).toBe(2)
  expect(joined).toEqual(['select $1', 'select $1, $2'])
})
