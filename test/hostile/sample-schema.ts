/** A small schema with every kind of type and paging, for tests that need no service. */
import { buildSchema } from 'graphql'

/** Companies, assets and issues, with lists paged in each of the three ways, and unpaged lists. */
export const sampleSchema = buildSchema(/* GraphQL */ `
  scalar ISO8601DateTime
  scalar Upload

  enum Severity { LOW MEDIUM HIGH }

  input PaginationInput { page: Int = 1, perPage: Int = 10 }
  input IssueFilters { severities: [Severity!], title: String, asset: AssetFilter, createdAfter: ISO8601DateTime }
  input AssetFilter { id: ID, tags: [String!], nested: [[Int]], score: Float, archived: Boolean }
  input CreateIssueInput { clientMutationId: String, assetId: Int!, title: String!, severity: Severity = LOW, archive: Upload }

  type Query {
    viewer: User
    company(id: ID!): Company
    companies(page: Int = 1, limit: Int = 10): CompanyCollection!
    issues(companyId: ID!, pagination: PaginationInput, filters: IssueFilters, search: String): IssueCollection!
    issue(id: ID!): Issue
    groups(pagination: PaginationInput! = { page: 1, perPage: 10 }, integrationId: ID!): [Group!]!
    recent(perPage: Int): [Issue!]!
    tokens: [User!]!
    wide(limit: Int = 50): CompanyCollection!
    node(id: ID!): Node
  }
  type Mutation {
    createIssue(input: CreateIssueInput!): CreateIssuePayload
    closeIssue(id: ID!, reason: String): CreateIssuePayload
  }
  type Subscription { issueChanged(companyId: ID!, severity: Severity): Issue }

  type CreateIssuePayload { clientMutationId: String, issue: Issue! }
  type Metadata { currentPage: Int!, limitValue: Int!, totalCount: Int! }
  type CompanyCollection { collection: [Company!]!, metadata: Metadata! }
  type IssueCollection { collection: [Issue!]!, metadata: Metadata! }
  type UserCollection { collection: [User!]!, metadata: Metadata! }

  type Company {
    id: ID!
    label: String!
    createdAt: ISO8601DateTime
    parent: Company
    assets: [Asset!]!
    users(pagination: PaginationInput): UserCollection!
    members: UserCollection!
  }
  type Asset { id: ID!, name: String!, tags: [String!]!, company: Company!, score: Float, archived: Boolean }
  type User { id: ID!, name(upper: Boolean = false): String, companies: [Company!]! }
  type Group { id: ID!, name: String! }

  interface Issue { id: ID!, title: String!, severity: Severity, asset: Asset! }
  type CodeIssue implements Issue { id: ID!, title: String!, severity: Severity, asset: Asset!, line: Int, file: String }
  type WebIssue implements Issue { id: ID!, title: String!, severity: Severity, asset: Asset!, url: String, method: String }
  union Node = Company | Asset | User
`)
