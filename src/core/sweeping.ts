// Finds stored objects that no row refers to, a batch at a time, and removes them once nothing can refer to them any more.

import { sql } from 'kysely'
import type { Db } from './db/open.ts'
import type { ObjectStore } from './objects/store.ts'

/** Keys that one statement asks for. */
const ASKED_AT_ONCE = 1000

/** Since when this process has seen that an object is unused, by a clock that nobody sets. */
const unusedSince = new WeakMap<ObjectStore, Map<string, number>>()

/**
 * Removes objects that no row refers to, and that are older than `age` milliseconds, by the clock and as unused ones of this process: by
 * the clock alone what is just being stored would be old when the clock is set forward. Answers with how many.
 */
export async function sweepObjects(db: Db, objects: ObjectStore, age: number): Promise<number> {
  await objects.removeDrafts(age)
  const before = unusedSince.get(objects)
  const still = new Map<string, number>()
  unusedSince.set(objects, still)
  let removed = 0
  for await (const objectKey of unused(db, objects.list())) {
    const since = before?.get(objectKey) ?? performance.now()
    if (performance.now() - since >= age && (await objects.ageOf(objectKey)) >= age) {
      await objects.remove(objectKey)
      removed += 1
    } else still.set(objectKey, since)
  }
  return removed
}

/** Removes those of the objects that no row refers to, whatever their age; answers with how many. */
export async function removeUnused(db: Db, objects: ObjectStore, objectKeys: Iterable<string>): Promise<number> {
  let removed = 0
  for await (const objectKey of unused(db, objectKeys)) {
    await objects.remove(objectKey)
    removed += 1
  }
  return removed
}

async function* unused(db: Db, objectKeys: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let asked: string[] = []
  const found = async () => {
    const { rows } = await sql<{ objectKey: string }>`
      select key as "objectKey" from unnest(${asked}::text[]) as key
      where not exists (select from stored_object where object_key = key)`.execute(db)
    asked = []
    return rows.map(({ objectKey }) => objectKey)
  }
  for await (const objectKey of objectKeys) {
    asked.push(objectKey)
    if (asked.length === ASKED_AT_ONCE) yield* await found()
  }
  if (asked.length > 0) yield* await found()
}
