// The columns of the list of projects.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Day } from '../../ui/day.tsx'
import { to } from '../../util/path-builder.ts'
import { wordsOf } from '../../util/words.ts'
import type { ProjectRow } from './documents.ts'
import { Ends } from './ends.tsx'

export function useProjectColumns(companyId: string): Column<ProjectRow>[] {
  return useMemo(
    () => [
      {
        id: 'label',
        header: 'Project',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.project({ companyId, projectId: original.id })} tabIndex={-1}>
              {original.label}
            </Link>
            <Beneath of={[original.pid, original.projectType?.label]} />
          </>
        ),
      },
      {
        id: 'pid',
        header: 'Number',
        meta: { width: '130px', isExtra: true },
        cell: ({ row }) => <span className="code">{row.original.pid}</span>,
      },
      {
        id: 'type',
        header: 'Type',
        meta: { width: '20%', isExtra: true },
        cell: ({ row }) => row.original.projectType?.label,
      },
      {
        id: 'status',
        header: 'Status',
        meta: { width: 'clamp(76px, 11cqi, 120px)' },
        cell: ({ row }) => wordsOf(row.original.status),
      },
      {
        id: 'progress',
        header: 'Requirements',
        meta: { width: '120px', isNumber: true, isExtra: true },
        cell: ({ row: { original } }) => {
          const { done, total } = original.requirementsProgress
          return total === 0 ? <span className="muted">none</span> : `${done} of ${total}`
        },
      },
      {
        id: 'begins',
        header: 'Start date',
        meta: { width: '110px', isExtra: true },
        cell: ({ row: { original } }) => original.startDate && <Day at={original.startDate} />,
      },
      {
        id: 'ends',
        header: 'End date',
        meta: { width: 'clamp(84px, 10cqi, 110px)' },
        cell: ({ row: { original } }) => <Ends of={original} />,
      },
    ],
    [companyId],
  )
}
