// The columns of the list of findings: which exist, which are shown by default, and what each cell shows.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { StatusWord } from '../../ui/status.tsx'
import { to } from '../../util/path-builder.ts'
import { placeWords, wordsOf } from '../../util/words.ts'
import type { FindingRow } from './documents.ts'
import { columnNames, type Filters, filterShape } from './filters.ts'
import styles from './list.module.css'

const placeOf = ({ occurrences: [place] }: FindingRow): string => (place ? placeWords(place) : '')

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`

/** The columns that are always shown: severity and title. */
const first = (companyId: string, search: string): Column<FindingRow>[] => [
  {
    id: 'severity',
    header: () => <span className="heard">Severity</span>,
    meta: { width: '44px', sort: 'SEVERITY' },
    cell: ({ row }) => <SeverityMark of={row.original.severity} />,
  },
  {
    id: 'title',
    header: 'Title',
    meta: { sort: 'TITLE', least: 190, isSentence: true },
    cell: ({ row: { original } }) => (
      <>
        {original.exploitation.isKnownExploited && (
          <abbr className={styles.exploited} title="Known exploited vulnerability (CISA)">
            KEV
          </abbr>
        )}
        <Link to={to.finding({ companyId, issueId: original.id }, search)} tabIndex={-1} title={original.title}>
          {original.title}
        </Link>
        <Beneath of={[original.asset.name]} onPhone={[wordsOf(original.status)]} />
      </>
    ),
  },
]

type Name = Filters['columns'][number]

const others: Record<Name, Omit<Column<FindingRow>, 'id' | 'header'>> = {
  asset: { meta: { width: '11cqi', isExtra: true }, cell: ({ row }) => row.original.asset.name },
  place: {
    meta: { share: 0.45, least: 180, isExtra: true },
    cell: ({ row: { original } }) => (
      <span className={styles.place} title={placeOf(original)}>
        <bdi>{placeOf(original)}</bdi>
      </span>
    ),
  },
  branch: {
    meta: { width: '110px', isExtra: true },
    cell: ({ row }) => <span className="code">{row.original.occurrences[0]?.branchName}</span>,
  },
  type: { meta: { width: '84px', isExtra: true, isLast: true }, cell: ({ row }) => wordsOf(row.original.type) },
  tool: {
    meta: { width: '110px', isExtra: true },
    cell: ({ row: { original } }) => ('toolName' in original ? original.toolName : null),
  },
  weakness: {
    meta: { width: '100px', isExtra: true },
    cell: ({ row }) => <span className="code">{row.original.cweIds?.map((id) => `CWE-${id}`).join(', ')}</span>,
  },
  project: { meta: { width: '11cqi', isExtra: true }, cell: ({ row }) => row.original.project?.label },
  assigned: {
    meta: { width: '11cqi', isExtra: true },
    cell: ({ row }) => row.original.assignedUsers?.map(({ name }) => name).join(', '),
  },
  priority: {
    meta: { width: '76px', sort: 'PRIORITY', isNumber: true, isExtra: true },
    cell: ({ row: { original } }) => original.priority && Math.round(original.priority.score),
  },
  cvss: {
    meta: { width: '64px', isNumber: true, isExtra: true },
    cell: ({ row }) => row.original.cvssScore?.toFixed(1),
  },
  epss: {
    meta: { width: '76px', isNumber: true, isExtra: true },
    cell: ({ row: { original } }) => original.exploitation.epss !== null && percent(original.exploitation.epss),
  },
  status: {
    meta: { width: 'clamp(140px, 14cqi, 158px)', sort: 'STATUS', isSpare: true },
    cell: ({ row }) => <StatusWord of={row.original.status} />,
  },
  due: {
    meta: { width: '84px', sort: 'SLA_DUE_AT', isNumber: true, isExtra: true },
    cell: ({ row: { original } }) =>
      original.sla && original.sla.state !== 'RESOLVED' ? (
        <span className={original.sla.state === 'BREACHED' ? styles.late : undefined}>
          <Moment at={original.sla.dueAt} />
        </span>
      ) : null,
  },
  found: {
    meta: { width: '108px', sort: 'CREATED_AT', isNumber: true, isExtra: true },
    cell: ({ row }) => <Moment at={row.original.createdAt} />,
  },
  changed: {
    meta: { width: '108px', sort: 'UPDATED_AT', isNumber: true, isExtra: true },
    cell: ({ row: { original } }) => original.updatedAt && <Moment at={original.updatedAt} />,
  },
}

/** Columns whose heading is another word than their name in the address. */
const words: Partial<Record<Name, string>> = { place: 'Location', changed: 'Updated' }

/** The heading of a column, which is also its name in the columns menu. */
export const columnWord = (name: Name): string => words[name] ?? wordsOf(name.toUpperCase())

export function useColumns(companyId: string, search: string, shown: readonly Name[]): Column<FindingRow>[] {
  return useMemo(() => {
    const isChosen = shown !== filterShape.columns.initial
    return [...first(companyId, search), ...columnNames.filter((name) => shown.includes(name)).map(columnOf(isChosen))]
  }, [companyId, search, shown])
}

/** Where a user has chosen the columns, none of them gives way to the others. */
const columnOf =
  (isChosen: boolean) =>
  (name: Name): Column<FindingRow> => {
    const { meta, ...rest } = others[name]
    const look = isChosen ? { ...meta, isLast: false } : meta
    return { id: name, header: columnWord(name), ...rest, ...(look && { meta: look }) }
  }
