// The queries and mutations of the applications page.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Applications = graphql(`
  query Applications($companyId: ID!, $search: String) {
    applications(companyId: $companyId, search: $search) { id name description url assetsCount riskScore updatedAt }
  }
`)

export type ApplicationRow = ResultOf<typeof Applications>['applications'][number]

export const OneApplication = graphql(`
  query OneApplication($companyId: ID!, $id: ID!) {
    application(companyId: $companyId, id: $id) { id name description url assets { id name } }
  }
`)

export type ApplicationDetail = ResultOf<typeof OneApplication>['application']

export const CreateApplication = graphql(`
  mutation CreateApplicationHere($input: CreateApplicationInput!) {
    createApplication(input: $input) { application { id } }
  }
`)

export const UpdateApplication = graphql(`
  mutation UpdateApplicationHere($input: UpdateApplicationInput!) {
    updateApplication(input: $input) { application { id } }
  }
`)

export const DeleteApplication = graphql(`
  mutation DeleteApplicationHere($input: DeleteApplicationInput!) {
    deleteApplication(input: $input) { clientMutationId }
  }
`)
