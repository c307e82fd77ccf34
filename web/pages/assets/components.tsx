// The components in an asset's bill of materials, with the open findings of each.

import { useCompanyId } from '../../frame/company.ts'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Empty } from '../../ui/empty.tsx'
import { severities } from '../../ui/severity.tsx'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { AssetParts, type PartRow } from './documents.ts'

/** The contract's counts are JSON with the severity's name as the key. */
function countsOf(bySeverity: unknown) {
  if (typeof bySeverity !== 'object' || bySeverity === null) return []
  const found = new Map(Object.entries(bySeverity).map(([name, many]) => [name.toUpperCase(), Number(many)]))
  return severities.map((value) => ({ value, count: found.get(value) ?? 0 }))
}

const columns: Column<PartRow>[] = [
  {
    id: 'name',
    header: 'Component',
    meta: { isSentence: true },
    cell: ({ row: { original } }) => {
      const open = countsOf(original.issuesBySeverity)
      const isAny = open.some(({ count }) => count > 0)
      return (
        <>
          <span className="code">{original.name}</span>
          <Beneath of={[original.license]} onPhone={[isAny && <SeverityCounts key="open" of={open} />]} />
        </>
      )
    },
  },
  {
    id: 'version',
    header: 'Version',
    meta: { width: 'clamp(90px, 16cqi, 140px)' },
    cell: ({ row }) => <span className="code">{row.original.version}</span>,
  },
  {
    id: 'from',
    header: 'Ecosystem',
    meta: { width: '110px', isExtra: true },
    cell: ({ row }) => row.original.packageManager,
  },
  {
    id: 'license',
    header: 'License',
    meta: { width: '160px', isExtra: true },
    cell: ({ row }) => row.original.license,
  },
  {
    id: 'open',
    header: 'Open findings',
    meta: { width: '220px', isSpare: true },
    cell: ({ row }) => <SeverityCounts of={countsOf(row.original.issuesBySeverity)} />,
  },
]

export function Components({ assetId }: { assetId: string }) {
  const companyId = useCompanyId()
  const asked = { companyId, search: { assetIds: [assetId] } }
  const list = useList(AssetParts, asked, ({ sbomComponents }) => sbomComponents)
  return (
    <ListTable<PartRow>
      isPart
      label="Components"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={
        <Empty title="No bill of materials yet" command={`merlon import bom.json --asset ${assetId}`}>
          <p>A CycloneDX or SPDX file lists the asset’s components. Drop one above, or send it from a pipeline:</p>
        </Empty>
      }
    />
  )
}
