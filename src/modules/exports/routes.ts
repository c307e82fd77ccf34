// The download of an export, for users who may read the findings of its company.

import { Readable } from 'node:stream'
import { attachmentDisposition, inertType } from '../../core/download.ts'
import { parseId } from '../../core/ids.ts'
import type { Route } from '../types.ts'
import { fileNameOf, openExport } from './service.ts'

const PATH = '/exports'

/** Where the export with this id is downloaded. */
export const exportPath = (id: string): string => `${PATH}/${id}`

export const routes: readonly Route[] = [
  {
    path: `${PATH}/:id`,
    access: 'key',
    answer: async (context, { params, isHead }) => {
      const { found, mediaType, open } = await openExport(context, parseId(params.id ?? '', 'id'))
      const headers = {
        'cache-control': 'no-store',
        'content-disposition': attachmentDisposition(fileNameOf(found)),
        'content-security-policy': "default-src 'none'; sandbox",
        'content-type': inertType(mediaType),
        'x-content-type-options': 'nosniff',
      }
      // the length is unknown until the file has been written
      return { status: 200, headers, body: isHead ? Readable.from([]) : await open() }
    },
  },
]
