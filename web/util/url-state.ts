// State kept in the address: read from it, written to it, and left out of it where it has its initial value.

import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isSpan } from './since.ts'

/** How a value is written in the address; what cannot be read becomes `initial`. */
type Codec<T> = { read(given: readonly string[]): T; write(value: T): readonly string[]; initial: T }

export const text = (initial = ''): Codec<string> => ({
  initial,
  read: ([given]) => given ?? initial,
  write: (value) => (value === initial ? [] : [value]),
})

export const oneOf = <T extends string>(values: readonly T[], initial: T): Codec<T> => ({
  initial,
  read: ([given]) => values.find((value) => value === given) ?? initial,
  write: (value) => (value === initial ? [] : [value]),
})

/** Separated by commas. `any` in the address means an empty list, where the initial value is not empty. */
export const someOf = <T extends string>(values: readonly T[], initial: readonly T[] = []): Codec<readonly T[]> => ({
  initial,
  read: ([given]) => {
    if (given === undefined) return initial
    const asked = given.split(',')
    return values.filter((value) => asked.includes(value))
  },
  write: (chosen) => {
    const same = chosen.length === initial.length && chosen.every((value) => initial.includes(value))
    return same ? [] : [chosen.length === 0 ? 'any' : chosen.join(',')]
  },
})

/** A moment in ISO 8601; anything else is dropped. */
export const moment = (): Codec<string> => ({
  initial: '',
  read: ([given = '']) => (Number.isNaN(Date.parse(given)) ? '' : new Date(given).toISOString()),
  write: (chosen) => (chosen === '' ? [] : [chosen]),
})

/** The start of a period: one of `spans` (util/since.ts), which moves with the time, or a fixed moment. */
export const since = (): Codec<string> => ({
  ...moment(),
  read: ([given = '']) => (isSpan(given) ? given : moment().read([given])),
})

/** Ids of records, in the order in which they were chosen. */
export const ids = (): Codec<readonly string[]> => ({
  initial: [],
  read: ([given]) => (given ?? '').split(',').filter((id) => /^\d+$/.test(id)),
  write: (chosen) => (chosen.length === 0 ? [] : [chosen.join(',')]),
})

/** Any texts, each as a parameter of its own. */
export const texts = (): Codec<readonly string[]> => ({
  initial: [],
  read: (given) => given.filter((one) => one !== ''),
  write: (chosen) => chosen,
})

type Shape = Record<string, Codec<unknown>>
export type Values<S extends Shape> = { [Name in keyof S]: S[Name] extends Codec<infer T> ? T : never }

/**
 * Returns the values of `shape` from the address, and a function that changes some of them there. It adds an entry to
 * the history unless `push` is false, which is for typing. The change is rendered synchronously, so that choices in
 * quick succession each build on the one before.
 */
export function useUrlState<S extends Shape>(shape: S) {
  const [params, setParams] = useSearchParams()
  // The shape is a constant of its page, so the first one is kept.
  const kept = useRef(shape).current
  const values = useMemo(() => readAll(kept, params), [kept, params])
  const change = useCallback(
    (changed: Partial<Values<S>>, { push = true }: { push?: boolean } = {}) =>
      setParams((before) => writeSome(kept, before, changed), { replace: !push, flushSync: true }),
    [kept, setParams],
  )
  return [values, change] as const
}

/** The values of `shape` in these search parameters. */
export function readAll<S extends Shape>(shape: S, params: URLSearchParams): Values<S> {
  const entries = Object.entries(shape).map(([name, codec]) => [name, codec.read(params.getAll(name))])
  return Object.fromEntries(entries) as Values<S>
}

function writeSome<S extends Shape>(shape: S, before: URLSearchParams, changed: Partial<Values<S>>) {
  const params = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changed)) {
    params.delete(name)
    for (const written of shape[name]?.write(value) ?? []) params.append(name, written)
  }
  return params
}
