// The queries and mutations for the people of a company and their roles.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Users = graphql(`
  query Users($companyId: ID!, $after: String) {
    portalUsers(companyId: $companyId, pagination: { perPage: 100, after: $after }) {
      collection { id name email isAdministrator disabledAt createdAt profile(companyId: $companyId) { role } }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export const CreateUser = graphql(`
  mutation CreateUserHere($input: CreatePortalUserInput!) {
    createPortalUser(input: $input) { portalUser { id } }
  }
`)

export const SetAccess = graphql(`
  mutation SetAccess($input: UpdatePortalUserAccessInput!) {
    updatePortalUserAccess(input: $input) { clientMutationId }
  }
`)

export const Disable = graphql(`
  mutation DisableUser($input: DisablePortalUserInput!) {
    disablePortalUser(input: $input) { clientMutationId }
  }
`)

export const Enable = graphql(`
  mutation EnableUser($input: EnablePortalUserInput!) {
    enablePortalUser(input: $input) { clientMutationId }
  }
`)

export type Person = ResultOf<typeof Users>['portalUsers']['collection'][number]
