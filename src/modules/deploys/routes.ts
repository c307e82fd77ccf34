// Downloads of the files that were sent with a deploy, unchanged, with headers that keep a browser from running them.

import { answerDownload } from '../../core/download.ts'
import { parseId } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import type { Answer, Route, RouteRequest } from '../types.ts'
import { getDeployFile } from './service.ts'

export const routes: readonly Route[] = [
  { path: '/deploys/:id/diff', access: 'key', answer: (context, request) => download(context, request, 'DIFF') },
  {
    path: '/deploys/:id/commit-history',
    access: 'key',
    answer: (context, request) => download(context, request, 'HISTORY'),
  },
]

async function download(context: Context, request: RouteRequest, which: 'DIFF' | 'HISTORY'): Promise<Answer> {
  const file = await getDeployFile(context, parseId(request.params.id ?? '', 'id'), which)
  return answerDownload(context.objects, file, request.headers)
}
