// The query of a company's attachments.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Attachments = graphql(`
  query Attachments($companyId: ID!, $after: String) {
    attachments(scopeId: $companyId, limit: 50, after: $after) {
      collection {
        id
        archiveFilename
        description
        size
        isRestricted
        downloadUrl
        createdAt
        author { name }
        allowedPortalUsers { id name }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type AttachmentRow = ResultOf<typeof Attachments>['attachments']['collection'][number]
