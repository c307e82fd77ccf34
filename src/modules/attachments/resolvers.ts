// Attachments as the API shows them.

import { parseId, parseIds, parseOptionalId } from '../../core/ids.ts'
import { loadUsers } from '../access/service.ts'
import type {
  MutationCreateAttachmentArgs,
  MutationDeleteAttachmentArgs,
  MutationUpdateAttachmentArgs,
  QueryAttachmentArgs,
  QueryAttachmentsArgs,
} from '../api.generated.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { attachmentPath } from './routes.ts'
import * as service from './service.ts'

const allowedOf = (ids: readonly string[] | null | undefined) => parseIds(ids ?? [], 'input.allowedPortalUserIds')

export const resolvers = {
  Query: {
    attachments: (_: unknown, args: QueryAttachmentsArgs, context: Context) =>
      service.listAttachments(
        context,
        parseId(args.scopeId, 'scopeId'),
        {
          issueId: parseOptionalId(args.issueId, 'issueId'),
          projectId: parseOptionalId(args.projectId, 'projectId'),
          filename: args.search?.filename ?? null,
          origin: args.origin ?? null,
        },
        askedPage(context, args),
      ),
    attachment: (_: unknown, { id }: QueryAttachmentArgs, context: Context) =>
      service.getAttachment(context, parseId(id, 'id')),
  },
  Mutation: {
    createAttachment: async (_: unknown, { input }: MutationCreateAttachmentArgs, context: Context) => ({
      attachment: await service.createAttachment(context, parseId(input.companyId, 'input.companyId'), {
        archive: input.archive,
        description: input.description ?? null,
        projectId: parseOptionalId(input.projectId, 'input.projectId'),
        issueId: parseOptionalId(input.issueId, 'input.issueId'),
        allowedIds: allowedOf(input.allowedPortalUserIds),
      }),
    }),
    updateAttachment: async (_: unknown, { input }: MutationUpdateAttachmentArgs, context: Context) => ({
      attachment: await service.updateAttachment(context, parseId(input.id, 'input.id'), {
        description: input.description,
        allowedIds: input.allowedPortalUserIds === undefined ? undefined : allowedOf(input.allowedPortalUserIds),
      }),
    }),
    deleteAttachment: async (_: unknown, { input }: MutationDeleteAttachmentArgs, context: Context) => ({
      id: await service.deleteAttachment(context, parseId(input.id, 'input.id')),
    }),
  },
  Attachment: {
    origin: service.originOf,
    downloadUrl: ({ id }: service.Attachment, _: unknown, { config }: Context) =>
      `${config.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? ''}${attachmentPath(id)}`,
    author: ({ authorId }: service.Attachment, _: unknown, context: Context) =>
      authorId === null ? null : load(context, loadUsers, authorId),
    allowedPortalUsers: async ({ id, isRestricted }: service.Attachment, _: unknown, context: Context) => {
      const ids = isRestricted ? ((await load(context, service.loadAllowed, id)) ?? []) : []
      return (await Promise.all(ids.map((userId) => load(context, loadUsers, userId)))).filter((user) => user !== null)
    },
  },
} satisfies Resolvers
