// The columns of the list of assets.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Moment } from '../../ui/moment.tsx'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { to } from '../../util/path-builder.ts'
import { count, counted, POINTS, riskOf, wordsOf } from '../../util/words.ts'
import type { AssetRow } from './documents.ts'

export function useColumns(companyId: string): Column<AssetRow>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        meta: { sort: 'name', isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.asset({ companyId, assetId: original.id })} tabIndex={-1}>
              {original.name}
            </Link>
            <Beneath
              of={[counted(original.riskScore.current.points, 'point')]}
              onPhone={[`risk ${riskOf(original.riskScore.current.value)}`]}
            />
          </>
        ),
      },
      {
        id: 'open',
        header: 'Open findings',
        meta: { width: 'clamp(204px, 54cqi, 304px)', isSentence: true },
        cell: ({ row: { original } }) => (
          <SeverityCounts
            of={original.pendingVulnerabilitiesStats}
            pathOf={(severity) => to.findings({ companyId }, `asset=${original.id}&severity=${severity}`)}
            isInTable
            isInColumns
          />
        ),
      },
      {
        id: 'risk',
        header: 'Risk',
        meta: { width: '64px', sort: 'risk_score', isNumber: true, isSpare: true },
        cell: ({ row }) => riskOf(row.original.riskScore.current.value),
      },
      {
        id: 'points',
        header: 'Points',
        meta: { width: '84px', isNumber: true, isExtra: true },
        cell: ({ row }) => <span title={POINTS}>{count(row.original.riskScore.current.points)}</span>,
      },
      {
        id: 'type',
        header: 'Type',
        meta: { width: '120px', isExtra: true },
        cell: ({ row: { original } }) => (original.assetType ? wordsOf(original.assetType.toUpperCase()) : null),
      },
      {
        id: 'repo',
        header: 'Repository',
        meta: { width: '24%', isExtra: true, isLast: true },
        cell: ({ row }) => <span className="code muted">{row.original.repoUrl}</span>,
      },
      {
        id: 'updated',
        header: 'Updated',
        meta: { width: '110px', sort: 'updated_at', isNumber: true, isExtra: true },
        cell: ({ row }) => <Moment at={row.original.updatedAt} />,
      },
    ],
    [companyId],
  )
}
