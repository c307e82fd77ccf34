// Issues: the operations that other modules may use.

export { openStatuses } from '../../core/db/open-issues.ts'
export { type IssueKey, keyOf, loadFacets } from './beside.ts'
export {
  type Analysis,
  bulkChangeIssueStatus,
  bulkDeleteIssues,
  changeIssueStatus,
  deleteIssue,
  markIssueAsAnalyzed,
  readChange,
  recordStatusChange,
  type StatusChange,
  updateIssueAssignee,
} from './decisions.ts'
export { readFilters } from './filters-input.ts'
export { lockIssues, whenFree } from './locking.ts'
export { createManual, updateManual } from './manual.ts'
export { recordOutsideWord } from './outside.ts'
export {
  authorizeIssue,
  type DeployFindingKind,
  getIssue,
  listDeployFindings,
  listIssues,
  loadIssues,
} from './reading.ts'
export type { IssueRecord } from './store.ts'
export type { Condition, IssueFilters } from './store-filters.ts'
export type { ListedIssue } from './store-list.ts'
export { conditionsOf } from './store-narrowing-filters.ts'
export { slaState } from './store-sla.ts'
export { isTallied } from './tallied.ts'
export { permittedFrom } from './transitions.ts'
