// The download of an activity's evidence: behind a key, and inert in a browser whatever the file holds.

import { parseId } from '../../core/ids.ts'
import type { Route } from '../types.ts'
import { getEvidence } from './activities.ts'

const PATH = '/activity-evidences'

/** Where the evidence with this id is downloaded. */
export const evidencePath = (id: string): string => `${PATH}/${id}`

/** A filename in a header, by RFC 6266: plain characters, and all of it percent-encoded beside them. */
const disposition = (filename: string): string => {
  const plain = filename.replace(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export const routes: readonly Route[] = [
  {
    path: `${PATH}/:id`,
    access: 'key',
    answer: async (context, { params }) => {
      const evidence = await getEvidence(context, parseId(params.id ?? '', 'id'))
      return {
        status: 200,
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(evidence.size),
          'content-disposition': disposition(evidence.filename),
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        },
        body: context.objects.read(evidence.objectKey),
      }
    },
  },
]
