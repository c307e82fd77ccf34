// The imports of an asset, newest first, each with its outcome.

import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { wordsOf } from '../../util/words.ts'
import { AssetImports, type ImportRow } from './documents.ts'
import { ImportOutcome } from './outcome.tsx'

export function ImportTable({ assetId }: { assetId: string }) {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const asked = { companyId, assetIds: [assetId] }
  const list = useList(AssetImports, asked, ({ imports }) => imports)
  const columns = useMemo<Column<ImportRow>[]>(
    () => [
      {
        id: 'file',
        header: 'Report',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.import({ companyId, importId: original.id })} tabIndex={-1}>
              {original.fileName}
            </Link>
            <Beneath of={[original.format, original.branchName, <Moment key="at" at={original.createdAt} />]} />
          </>
        ),
      },
      {
        id: 'format',
        header: 'Format',
        meta: { width: '120px', isExtra: true },
        cell: ({ row }) => row.original.format,
      },
      {
        id: 'branch',
        header: 'Branch',
        meta: { width: '130px', isExtra: true },
        cell: ({ row }) => <span className="code">{row.original.branchName}</span>,
      },
      { id: 'status', header: 'Status', meta: { width: '104px' }, cell: ({ row }) => wordsOf(row.original.status) },
      {
        id: 'came',
        header: 'Result',
        meta: { width: '34%', isSentence: true },
        cell: ({ row }) => <ImportOutcome of={row.original} />,
      },
      {
        id: 'at',
        header: 'Imported',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
    ],
    [companyId],
  )
  return (
    <ListTable<ImportRow>
      isPart
      label="Imports"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ fileName }) => fileName}
      onOpen={({ id }) => navigate(to.import({ companyId, importId: id }))}
      empty={
        <Empty title="No imports yet" command={`merlon import report.sarif --asset ${assetId}`}>
          <p>Drop a report above, or send one from a pipeline:</p>
        </Empty>
      }
    />
  )
}
