// The one place where modules that come later say what a project may name of theirs, and keep what is sent with it.

import type { Trx } from '../../core/db/open.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { UploadedFile } from '../../core/uploads.ts'
import type { Context } from '../context.ts'

/** An attachment as it came with a project. */
export type SentAttachment = {
  id?: string | null
  description?: string | null
  projectId?: number | null
  issueId?: number | null
  allowedPortalUserIds?: readonly number[] | null
  archive?: UploadedFile | null
}

export type ProjectLinks = {
  /** NOT_FOUND of the first requirement that is not the company's to use. */
  requirePlaybooks: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** Keeps what was sent with the project, in the transaction that makes or changes it. */
  keepAttachments: (
    trx: Trx,
    context: Context,
    project: { companyId: Id; id: Id },
    attachments: readonly SentAttachment[],
  ) => Promise<void>
}

/** Until the other modules speak there is no playbook to name and nobody to keep a file. */
const links: ProjectLinks = {
  requirePlaybooks: async (_, __, [first]) => {
    if (first !== undefined) throw notFound('Requirement', first)
  },
  keepAttachments: async (_, __, ___, [first]) => {
    if (first !== undefined) throw badUserInput('Attachments are not kept here', 'input.attachments')
  },
}

/** Said once, when the module is loaded; what is left out stays as it is. */
export function provideProjectLinks(given: Partial<ProjectLinks>): void {
  Object.assign(links, given)
}

export const requirePlaybooks: ProjectLinks['requirePlaybooks'] = (context, companyId, ids) =>
  links.requirePlaybooks(context, companyId, ids)

export const keepAttachments: ProjectLinks['keepAttachments'] = (trx, context, project, attachments) =>
  links.keepAttachments(trx, context, project, attachments)
