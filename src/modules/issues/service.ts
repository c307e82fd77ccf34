// Issues: who may see, list, decide, assign and delete them, and what other modules ask of them.

import type { Id } from '../../core/ids.ts'
import { authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

export { severityOf } from './severity.ts'
export type { IssueRecord } from './store.ts'
export { findIssue } from './store.ts'
export { isOpen, isPersonsWord, openStatuses, permittedFrom, personsWords, requireTransition } from './transitions.ts'

/** Issues by id, for fields of other records that name one; only those that the viewer sees. */
export const loadIssues = async (context: Context, ids: readonly string[]): Promise<Map<string, store.IssueRecord>> =>
  new Map((await store.findIssues(context.db, context.viewer, ids)).map((issue) => [issue.id, issue]))

/** The issue, when the viewer may do `action` in its company; NOT_FOUND for one that is foreign or missing. */
export const authorizeIssue = (
  context: Context,
  action: Parameters<typeof authorizeRecord>[1],
  id: Id,
): Promise<store.IssueRecord> =>
  authorizeRecord(context, action, 'Issue', id, () => store.findIssue(context.db, context.viewer, id))

export const getIssue = (context: Context, id: Id): Promise<store.IssueRecord> =>
  authorizeIssue(context, 'issues:read', id)
