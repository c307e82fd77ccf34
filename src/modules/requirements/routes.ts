// The download of an activity's evidence, for users who see its company.

import { answerDownload } from '../../core/download.ts'
import { parseId } from '../../core/ids.ts'
import type { Route } from '../types.ts'
import { getEvidence } from './activities.ts'

const PATH = '/activity-evidences'

/** Where the evidence with this id is downloaded. */
export const evidencePath = (id: string): string => `${PATH}/${id}`

export const routes: readonly Route[] = [
  {
    path: `${PATH}/:id`,
    access: 'key',
    answer: async (context, { params, headers }) =>
      answerDownload(context.objects, await getEvidence(context, parseId(params.id ?? '', 'id')), headers),
  },
]
