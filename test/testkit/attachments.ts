// Attachments as tests make, read and look for them.

import { type Data, type SentFile, upload } from './client.ts'
import { services, serviceUrl } from './service.ts'

export const CREATE = `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) {
  clientMutationId attachment { id allowedPortalUsers { id name email } archiveContentType archiveFilename size sha256
    description origin projectId issueId isRestricted createdAt updatedAt author { email } downloadUrl } } }`
export const UPDATE = `mutation ($input: UpdateAttachmentInput!) { updateAttachment(input: $input) {
  attachment { id description isRestricted allowedPortalUsers { id } } } }`
export const DELETE =
  'mutation ($input: DeleteAttachmentInput!) { deleteAttachment(input: $input) { clientMutationId id } }'
export const ATTACHMENT = 'query ($id: ID!) { attachment(id: $id) { id description allowedPortalUsers { id } } }'
export const ATTACHMENTS = `query ($scopeId: ID!, $issueId: ID, $projectId: ID, $page: Int, $limit: Int, $search: AttachmentsSearch,
    $origin: String) {
  attachments(scopeId: $scopeId, issueId: $issueId, projectId: $projectId, page: $page, limit: $limit, search: $search,
      origin: $origin) {
    collection { id allowedPortalUsers { id name email } archiveContentType author { email } }
    metadata { currentPage limitValue totalCount } } }`

export const attach = async (key: string, input: Record<string, unknown>, file: SentFile = { content: 'content' }) => {
  const { data, errors } = await upload(key, CREATE, { input }, { 'input.archive': file })
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
  return data.createAttachment.attachment
}

export const download = async (key: string, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${await serviceUrl()}/attachments/${id}`, { method, headers: { 'x-api-key': key, ...headers } })

export const idsOf = (answer: Data) => answer.attachments.collection.map(({ id }: Data) => id)

/** How many rows know a file of this content, and whether its object is there. */
export const stored = async (sha256: string) => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { db } = service.app.parts
  return db.selectFrom('stored_object').select('object_key').where('sha256', '=', Buffer.from(sha256, 'hex')).execute()
}
