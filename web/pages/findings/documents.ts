// The queries of the list of findings; the panel and the dialogs have files of their own, so that their documents load with them.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Findings = graphql(`
  query Findings(
    $companyId: ID!
    $filters: IssuesFiltersInput
    $sort: [IssueSortOptionInput!]
    $after: String
    $withAssigned: Boolean!
    $withPriority: Boolean!
    $withProject: Boolean!
    $withWeakness: Boolean!
  ) {
    issues(companyId: $companyId, filters: $filters, sortOptions: $sort, pagination: { perPage: 100, after: $after }) {
      collection {
        id
        title
        type
        severity
        status
        createdAt
        updatedAt
        cvssScore
        asset { id name }
        sla { state dueAt }
        occurrences { path line branchName }
        exploitation { isKnownExploited epss }
        ... on FindingInterface { toolName }
        assignedUsers @include(if: $withAssigned) { name }
        priority @include(if: $withPriority) { score }
        project @include(if: $withProject) { label }
        cweIds @include(if: $withWeakness)
      }
      metadata { endCursor limitValue }
    }
  }
`)

/** A query of its own, because counting a million findings can take much longer than loading a page of them. */
export const CountFindings = graphql(`
  query CountFindings($companyId: ID!, $filters: IssuesFiltersInput) {
    issues(companyId: $companyId, filters: $filters, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
  }
`)

export type FindingRow = ResultOf<typeof Findings>['issues']['collection'][number]

export const SavedViewsOf = graphql(`
  query SavedViews($companyId: ID!) {
    savedViews(companyId: $companyId) {
      id
      name
      filters
    }
  }
`)

type View = ResultOf<typeof SavedViewsOf>['savedViews'][number]

/** The open dialog of saved views: naming a new view, or confirming that one is deleted. */
export type Asked = 'save' | { remove: View }
