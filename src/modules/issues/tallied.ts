// Which filters of issues the kept tally of findings can count by.

import type { IssueFilters } from './store-filters.ts'

const tallied: readonly string[] = [
  'assetIds',
  'statuses',
  'types',
  'failureTypes',
  'severities',
  'toolNames',
  'knownExploited',
] satisfies (keyof IssueFilters)[]

/** Whether the tally has all that the filters ask for: their conditions then hold of its rows as they do of issues. */
export const isTallied = (filters: IssueFilters): boolean =>
  Object.entries(filters).every(([name, value]) => value === undefined || value === null || tallied.includes(name))
