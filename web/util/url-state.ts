// State that belongs in the address: read from it, written to it, and left out of it where it is what it is anyway.

import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { isSpan } from './since.ts'

/** How one value stands in the address; what cannot be read is `initial`. */
export type Codec<T> = { read(given: readonly string[]): T; write(value: T): readonly string[]; initial: T }

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

/** Parted by commas; `none` in the address is an empty list where something stands there otherwise. */
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

/** A moment in ISO 8601; what is none is left out. */
export const moment = (): Codec<string> => ({
  initial: '',
  read: ([given = '']) => (Number.isNaN(Date.parse(given)) ? '' : new Date(given).toISOString()),
  write: (chosen) => (chosen === '' ? [] : [chosen]),
})

/** Since when: one of `spans` (util/since.ts), which goes with the time, or a moment. */
export const since = (): Codec<string> => ({
  ...moment(),
  read: ([given = '']) => (isSpan(given) ? given : moment().read([given])),
})

/** Ids of records, in the order they were chosen. */
export const ids = (): Codec<readonly string[]> => ({
  initial: [],
  read: ([given]) => (given ?? '').split(',').filter((id) => /^\d+$/.test(id)),
  write: (chosen) => (chosen.length === 0 ? [] : [chosen.join(',')]),
})

/** Texts of any kind, each by itself. */
export const texts = (): Codec<readonly string[]> => ({
  initial: [],
  read: (given) => given.filter((one) => one !== ''),
  write: (chosen) => chosen,
})

type Shape = Record<string, Codec<unknown>>
export type Values<S extends Shape> = { [Name in keyof S]: S[Name] extends Codec<infer T> ? T : never }

/**
 * The values of `shape` from the address, and a function that changes some of them there. Typing replaces the entry of the
 * history; everything else adds one with `push`. What was changed is drawn before the next event, so that choices that
 * follow each other fast each build on the one before.
 */
export function useUrlState<S extends Shape>(shape: S) {
  const [params, setParams] = useSearchParams()
  // A shape is a constant of its page.
  const kept = useRef(shape).current
  const values = useMemo(() => readAll(kept, params), [kept, params])
  const change = useCallback(
    (changed: Partial<Values<S>>, { push = true }: { push?: boolean } = {}) =>
      setParams((before) => writeSome(kept, before, changed), { replace: !push, flushSync: true }),
    [kept, setParams],
  )
  return [values, change] as const
}

/** The values of `shape` as they stand in an address. */
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
