// What operations are called in the log and in the audit records.

import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { rootFields } from './operation-name.ts'

const nameOf = (source: string, operation?: string) => rootFields(parse(source), operation)

test('an operation is called by its root fields, not by their aliases', () => {
  expect(nameOf('{ innocent: company(id: 1) { id } assets { id } }')).toBe('company assets')
})

test('fields in fragments are named as well', () => {
  const source =
    'mutation { ... on Mutation { ...All } } fragment All on Mutation { deleteAsset(input: { id: 1 }) { id } }'

  expect(nameOf(source)).toBe('deleteAsset')
})

test('a name that repeats is given once, and beyond five names only their number', () => {
  const source =
    '{ a: viewer { id } b: viewer { id } companies { id } assets { id } issues { id } deploys { id } seals { id } tickets { id } }'

  expect(nameOf(source)).toBe('viewer companies assets issues deploys +2')
})

test('of several operations the requested one is named', () => {
  expect(nameOf('query One { viewer { id } } query Two { companies { id } }', 'Two')).toBe('companies')
})
