// The download of an attachment, for users who may see it.

import { answerDownload } from '../../core/download.ts'
import { parseId } from '../../core/ids.ts'
import type { Route } from '../types.ts'
import { getAttachmentFile } from './service.ts'

const PATH = '/attachments'

/** Where the attachment with this id is downloaded. */
export const attachmentPath = (id: string): string => `${PATH}/${id}`

export const routes: readonly Route[] = [
  {
    path: `${PATH}/:id`,
    access: 'key',
    answer: async (context, { params, headers }) =>
      answerDownload(context.objects, await getAttachmentFile(context, parseId(params.id ?? '', 'id')), headers),
  },
]
