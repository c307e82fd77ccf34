// The query of a company's secrets, without their values.

import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'

export const Secrets = graphql(`
  query Secrets($companyId: ID!, $after: String) {
    secrets(companyId: $companyId, pagination: { perPage: 50, after: $after }) {
      collection { id name type description updatedAt createdBy { name } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type SecretKind = EnumOf<'SecretType'>
export type SecretRow = ResultOf<typeof Secrets>['secrets']['collection'][number]
