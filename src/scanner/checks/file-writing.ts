// Checks for arbitrary file write: puts a file into a folder that the server serves, and fetches it from there.

import type { PointCheck } from '../check.ts'
import { quietly, takesText } from '../probing.ts'
import { get } from '../requests.ts'
import type { Operation } from '../types.ts'
import { leafName } from '../values.ts'

const NAME = /^(file|filename|filepath|path|name|target|destination|dest|saveas)$/
const CONTENT = /^(content|contents|text|data|body|value|filecontent|payload|source)$/

/** Folders of static files, relative to a sibling folder, with the address at which each is served. */
export const FOLDERS: readonly (readonly [way: string, address: string])[] = [
  ['../static/', '/static/'],
  ['../public/', '/'],
  ['../../static/', '/static/'],
  ['../../public/', '/'],
  ['static/', '/static/'],
  ['public/', '/'],
  ['../assets/', '/assets/'],
  ['../', '/'],
]

const writes = ({ kind }: Operation): boolean => kind === 'create' || kind === 'update'

export const fileWriting: PointCheck = {
  kind: 'point',
  id: 'file-writing',
  title: 'Arbitrary file write (path traversal)',
  cwes: [22, 73],
  severity: 'CRITICAL',
  solution:
    'Generate file names on the server, or use only the last part of a name and reject paths that resolve outside the folder.',
  profile: 'DEEP',
  accepts: (point, operation) => writes(operation) && takesText(point) && NAME.test(leafName(point.name)),
  async probe(point, operation, context) {
    const content = context.pointsOf(operation).find((other) => takesText(other) && CONTENT.test(leafName(other.name)))
    if (content === undefined) return null
    for (const [way, address] of FOLDERS) {
      const [word, text] = [context.word(), context.word()]
      const changes = [
        { point, value: `${way}${word}.txt` },
        { point: content, value: text },
      ]
      const sent = await context.attempt(operation, changes)
      if (sent === null || [401, 403, 404, 405].includes(sent.answer.status)) return null
      const url = `${context.target.origin}${address}${word}.txt`
      const got = await quietly(context.send(get(url), { identity: null }))
      if (got?.answer.status !== 200 || got.text.trim() !== text) continue
      return {
        detail: `A file named ${way}${word}.txt was written, and is served at ${address}${word}.txt.`,
        proof: [text],
        exchange: got,
      }
    }
    return null
  },
}
