// Words in paths that are values: a page that shows the last segment of its path also shows any other in its place.

import type { Context } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { readPage } from '../html.ts'
import { mediaTypeOf } from '../http.ts'
import { textsOf } from '../page-texts.ts'
import type { Exchange, Operation } from '../types.ts'

/** Pages of which another part is asked for. */
const MOST_ASKED = 60
/** Pages that are asked for as such; a target that shows every path shows them all by the same code. */
const MOST_TAKEN = 8
/** So many pages of one folder that are alike but for the last part of their paths are made of it. */
const SIBLINGS = 3
const ALIKE = 0.9
/** The shortest that is shown for its own sake, and not as a part of something else. */
const WORD = /^[a-z][\w-]{3,60}$/i

/** For pages that answered: those of which the last part of the path is a value, as operations that take it. */
export async function pathWordsOf(
  asked: readonly { operation: Operation; exchange: Exchange }[],
  { attempt, word, signal }: Pick<Context, 'attempt' | 'word' | 'signal'>,
): Promise<Operation[]> {
  const found = new Map<string, Operation>()
  let left = MOST_ASKED
  for (const { operation, exchange } of asked) {
    const taking = withLastPart(operation)
    if (taking === null || found.has(taking.key) || !shows(exchange, lastPartOf(taking))) continue
    if (signal.aborted || left === 0 || found.size >= MOST_TAKEN) break
    left -= 1
    const [point] = taking.parameters
    const value = word()
    const other = point && (await attempt(taking, [{ point, value }]))
    if ((other && shows(other, value)) || areMadeAlike(asked, taking)) found.set(taking.key, taking)
  }
  return [...found.values()]
}

/** Whether the pages of one folder are one page with different words: a program made them, although no made-up word has a page. */
function areMadeAlike(asked: readonly { operation: Operation; exchange: Exchange }[], { key }: Operation): boolean {
  const pages = asked.flatMap(({ operation, exchange }) => {
    const taking = withLastPart(operation)
    const part = taking?.key === key ? lastPartOf(taking) : null
    return part !== null && shows(exchange, part) ? [{ exchange, part }] : []
  })
  const parts = pages.map(({ part }) => part)
  const [first, ...others] = pages.map(({ exchange }) => exchange)
  if (first === undefined || pages.length < SIBLINGS) return false
  return others.every((other) => other.text !== first.text && likenessOf(first, other, parts) >= ALIKE)
}

const lastPartOf = ({ parameters: [parameter] }: Operation): string => parameter?.value ?? ''

const shows = ({ answer, text }: Exchange, part: string): boolean =>
  answer.status < 300 &&
  mediaTypeOf(answer) === 'text/html' &&
  // most pages do not have the word, and are not read for it
  text.includes(part) &&
  [...textsOf(text), ...readPage(text).scripts].some((one) => one.split(/[^\w-]+/).includes(part))

/** The operation with the last part of its path as a parameter; null where it takes something already, or ends in no word. */
function withLastPart(operation: Operation): Operation | null {
  const { method, path, parameters, body, source } = operation
  const parts = /^(.*\/)([^/]+)(\/?)$/.exec(path)
  if (parts === null || method !== 'GET' || body !== null || parameters.length > 0 || source !== 'crawl') return null
  const [, folder = '/', value = '', end = ''] = parts
  if (!WORD.test(value)) return null
  const template = `${folder}{part}${end}`
  return {
    ...operation,
    key: `GET ${template}`,
    path: template,
    parameters: [{ place: 'path', name: 'part', value, required: true }],
    source: 'guess',
  }
}
