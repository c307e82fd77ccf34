// Builds paths for vendors' addresses, encoding each part so that none can add a path segment or a query.

import { badUserInput } from '../core/errors.ts'

/** `text` starts with a slash and is sent; `pattern` has {} in place of the values, and may be logged. */
export type Path = { text: string; pattern: string; isWhole: boolean }

const isPathPart = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && part.length <= 1_000

/** `at`/repositories/${workspace}/${slug}`` encodes each part; BAD_USER_INPUT for an empty one, `.` and `..`. */
export function at(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Path {
  const encoded = parts.map((part) => {
    const text = String(part)
    if (!isPathPart(text)) throw badUserInput('An id of an outside tool is empty, too long, or leads elsewhere')
    return encodeURIComponent(text)
  })
  return { text: String.raw({ raw: texts }, ...encoded), pattern: texts.join('{}'), isWhole: false }
}

type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[]
export type Query = Readonly<Record<string, QueryValue>>

/** The query with its question mark, or ''; null and undefined are omitted, and a list gives one parameter per value. */
export function queryText(query: Query | undefined): string {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) all.append(name, String(one))
  }
  const text = all.toString()
  return text === '' ? '' : `?${text}`
}
