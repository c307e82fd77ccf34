// What was sent with a deploy, to be had back as it was: as a download that no browser runs.

import { parseId } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import type { Answer, Route } from '../types.ts'
import { getDeployFile } from './service.ts'

export const routes: readonly Route[] = [
  {
    path: '/deploys/:id/diff',
    access: 'key',
    answer: (context, { params }) => download(context, params.id, 'DIFF'),
  },
  {
    path: '/deploys/:id/commit-history',
    access: 'key',
    answer: (context, { params }) => download(context, params.id, 'HISTORY'),
  },
]

async function download(context: Context, id: string | undefined, which: 'DIFF' | 'HISTORY'): Promise<Answer> {
  const { objectKey, filename, size } = await getDeployFile(context, parseId(id ?? '', 'id'), which)
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': `attachment; filename="download"; filename*=UTF-8''${encodeName(filename)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: context.objects.read(objectKey),
  }
}

/** RFC 8187: everything but letters, digits and a few marks as %XX. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
