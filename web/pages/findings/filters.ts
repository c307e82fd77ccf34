// The filters of the list of findings, as the address holds them and as the contract takes them.

import type { EnumOf, VariablesOf } from '../../api/graphql.ts'
import type { Sort } from '../../table/column.ts'
import { severities } from '../../ui/severity.tsx'
import { openStatuses, statuses } from '../../ui/status.tsx'
import { startOf } from '../../util/since.ts'
import { ids, moment, oneOf, since, someOf, text, texts, type Values } from '../../util/url-state.ts'
import { changedSince, changes } from './changes.ts'
import type { Findings } from './documents.ts'

export const types = [
  'SAST_FINDING',
  'SCA_FINDING',
  'DAST_FINDING',
  'IAC_FINDING',
  'SECRET_FINDING',
  'CONTAINER_FINDING',
  'MAST_FINDING',
  'NETWORK_VULNERABILITY',
  'SOURCE_CODE_VULNERABILITY',
  'WEB_VULNERABILITY',
] as const satisfies readonly EnumOf<'IssueType'>[]

export const slaStates = ['BREACHED', 'APPROACHING', 'ON_TRACK'] as const satisfies readonly EnumOf<'IssueSlaState'>[]

/** The columns besides severity and title, which are always shown; in display order. */
export const columnNames = [
  'asset',
  'place',
  'branch',
  'type',
  'tool',
  'weakness',
  'project',
  'assigned',
  'priority',
  'cvss',
  'epss',
  'status',
  'due',
  'found',
  'changed',
] as const

const fields = ['SEVERITY', 'PRIORITY', 'CREATED_AT', 'UPDATED_AT', 'STATUS', 'TITLE', 'SLA_DUE_AT'] as const
type Field = (typeof fields)[number]
const orders = fields.flatMap((field) => [`${field}-DESC`, `${field}-ASC`] as const)

/** The state of the list, all of which is kept in the address. */
export const filterShape = {
  search: text(),
  status: someOf(statuses, openStatuses),
  severity: someOf(severities),
  type: someOf(types),
  due: someOf(slaStates),
  asset: ids(),
  assigned: texts(),
  scan: ids(),
  tool: text(),
  similar: ids(),
  cwe: ids(),
  vulnerability: texts(),
  since: since(),
  change: oneOf(changes, 'none'),
  changedSince: moment(),
  file: text(),
  branch: text(),
  exploited: oneOf(['any', 'yes', 'no'] as const, 'any'),
  order: oneOf(orders, 'SEVERITY-DESC'),
  columns: someOf(columnNames, ['asset', 'place', 'type', 'status', 'due', 'found']),
}

export type Filters = Values<typeof filterShape>

/** Whether the list shows anything other than all open findings. Order and columns do not count, as they filter nothing. */
export const isNarrowed = ({ order: _, columns: __, ...narrowing }: Filters): boolean =>
  Object.entries(narrowing).some(([name, value]) => !isInitial(name as keyof typeof narrowing, value))

const isInitial = (name: keyof Filters, value: Filters[keyof Filters]): boolean =>
  JSON.stringify(value) === JSON.stringify(filterShape[name].initial)

const orNone = <T>(chosen: readonly T[]): T[] | undefined => (chosen.length === 0 ? undefined : [...chosen])

export const sortOf = (order: Filters['order']): Sort => {
  const [field = '', direction] = order.split('-')
  return { field, isDown: direction === 'DESC' }
}

export const orderOf = ({ field, isDown }: Sort): Filters['order'] =>
  orders.find((order) => order === `${field}-${isDown ? 'DESC' : 'ASC'}`) ?? 'SEVERITY-DESC'

/** The variables of the query, without the cursor. */
export function askedBy(companyId: string, filters: Filters): Omit<VariablesOf<typeof Findings>, 'after'> {
  const { field, isDown } = sortOf(filters.order)
  return {
    companyId,
    filters: {
      search: filters.search.trim() || undefined,
      statuses: orNone(filters.status),
      severities: orNone(filters.severity),
      types: orNone(filters.type),
      slaStates: orNone(filters.due),
      assetIds: orNone(filters.asset),
      assigneeEmails: orNone(filters.assigned),
      controlSyncStatusIds: orNone(filters.scan),
      toolNames: filters.tool === '' ? undefined : [filters.tool],
      similarTo: filters.similar[0],
      cweIds: orNone(filters.cwe.map(Number)),
      vulnerabilityIds: orNone(filters.vulnerability),
      createdAtRange: filters.since === '' ? undefined : { startDate: startOf(filters.since) },
      ...changedSince(filters.change, filters.changedSince),
      fileName: filters.file || undefined,
      branchNames: filters.branch === '' ? undefined : [filters.branch],
      knownExploited: filters.exploited === 'any' ? undefined : filters.exploited === 'yes',
    },
    sort: [{ field: field as Field, order: isDown ? 'DESC' : 'ASC' }],
    withAssigned: filters.columns.includes('assigned'),
    withPriority: filters.columns.includes('priority'),
    withProject: filters.columns.includes('project'),
    withWeakness: filters.columns.includes('weakness'),
  }
}
