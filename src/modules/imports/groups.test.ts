// How staged findings are taken up again: whole buckets, and a large one file by file.

import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'
import { copyIn } from '../../core/db/copy.ts'
import { type Group, groupsOf, MOST_IN_BUCKET } from './groups.ts'
import { FINDING, type NewStaged, STAGED, stagedLine } from './store-stage.ts'

/** Findings by bucket: how many in each of its files. */
type Shape = readonly (readonly number[])[]

async function groupsFor(shape: Shape): Promise<Group[]> {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app
  const key = { companyId: String(randomInt(2 ** 40)), id: '1' }
  let number = 0
  const rows: NewStaged[] = shape.flatMap((files, bucket) =>
    files.flatMap((count, file) =>
      Array.from({ length: count }, () => ({
        kind: FINDING,
        bucket: String(bucket),
        file: String(file),
        number: number++,
        section: 0,
        at: '',
        payload: '{}',
      })),
    ),
  )
  await copyIn(
    db,
    STAGED,
    rows.reverse().map((row) => stagedLine(key, row)),
  )
  const groups: Group[] = []
  for await (const group of groupsOf(db, key)) groups.push(group)
  return groups
}

const countBy = ({ rows }: Group) =>
  Object.fromEntries([...Map.groupBy(rows, ({ bucket }) => bucket)].map(([b, r]) => [b, r.length]))

test('small buckets come whole, several together', async () => {
  const groups = await groupsFor(Array.from({ length: 50 }, () => [60, 40]))

  expect(groups.every(({ extent }) => extent === 'WHOLE')).toBe(true)
  expect(Object.assign({}, ...groups.map(countBy))).toEqual(
    Object.fromEntries(Array.from({ length: 50 }, (_, bucket) => [bucket, 100])),
  )
  expect(groups.length).toBeLessThan(10)
})

test('a large bucket comes in parts that end with a file, between whole ones', async () => {
  const large = Array.from({ length: 30 }, () => 500)

  const groups = await groupsFor([[10], large, [10]])

  const parts = groups.filter((group) => group.extent === 'PARTIAL')
  expect(parts.map((group) => group.extent === 'PARTIAL' && group.isFirst)).toEqual(
    parts.map((_, index) => index === 0),
  )
  expect(parts.flatMap(({ rows }) => rows)).toHaveLength(15_000)
  expect(Math.max(...groups.map(({ rows }) => rows.length))).toBeLessThan(MOST_IN_BUCKET + 2001)
  const files = parts.map(({ rows }) => new Set(rows.map(({ file }) => file)))
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBe(30)
  expect(groups.filter(({ extent }) => extent === 'WHOLE').flatMap(({ rows }) => rows)).toHaveLength(20)
})

test('a large bucket of one file comes in parts too', async () => {
  const groups = await groupsFor([[12_000]])

  expect(groups.every(({ extent }) => extent === 'PARTIAL')).toBe(true)
  expect(groups.flatMap(({ rows }) => rows).map(({ number }) => number)).toEqual(
    Array.from({ length: 12_000 }, (_, index) => index),
  )
})
