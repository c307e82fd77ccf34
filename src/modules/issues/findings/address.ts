// The part of a URL and its parameters that identifies a finding in a running application, without the values that a scan happened to send.

import { hash64 } from './snippet.ts'

/** The longest address that is kept whole, in bytes; a longer one is cut and ends in its hash. */
const LONGEST = 1000

/** `path`: the address without query, fragment and credentials. `parameters`: the sorted names in the query and in the given parameters. */
type Address = { path: string; parameters: string }

/** Accepts any text; one that is no URL is used as it is. */
export function readAddress(url: string, parameters: string | null): Address {
  const parsed = URL.parse(url)
  const names = new Set(parsed ? parsed.searchParams.keys() : [])
  for (const name of namesOf(parameters ?? '')) names.add(name)
  const path = parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : url
  return { path: bounded(path), parameters: bounded([...names].sort().join(' ')) }
}

/** Names in `a=1&b=2`, `a, b` or `a b`. */
const namesOf = (parameters: string): string[] =>
  parameters
    .split(/[&,;\s]+/)
    .map((part) => part.split('=')[0] ?? '')
    .filter((name) => name !== '')

const bounded = (text: string): string =>
  Buffer.byteLength(text) <= LONGEST ? text : `${text.slice(0, 200).toWellFormed()}#${hash64(text)}`
