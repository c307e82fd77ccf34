// Checks for uploads whose file name decides where they are written: one is put into a served folder, and fetched from there.

import type { PointCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import { FOLDERS, fileWriting } from './file-writing.ts'

export const uploadPaths: PointCheck = {
  kind: 'point',
  id: 'upload-path',
  title: 'Path traversal in a file upload',
  cwes: fileWriting.cwes,
  severity: 'CRITICAL',
  solution: fileWriting.solution,
  profile: 'DEEP',
  accepts: ({ place }) => place === 'file',
  async probe(point, operation, context) {
    for (const [way, address] of FOLDERS.filter(([folder]) => folder.startsWith('..'))) {
      const [word, text] = [context.word(), context.word()]
      const name = `${word}.txt`
      const fileName = way + name
      const sent = await context.attempt(operation, [{ point, value: text, fileName, mediaType: 'text/plain' }])
      if (sent === null || [401, 403, 404, 405].includes(sent.answer.status)) return null
      const got = await quietly(context.send(get(context.target.origin + address + name), { identity: null }))
      if (got?.answer.status !== 200 || got.text.trim() !== text) continue
      return {
        detail: `A file named ${fileName} was written where its name leads, and is served at ${address}${name}.`,
        proof: [text],
        exchange: got,
      }
    }
    return null
  },
}
