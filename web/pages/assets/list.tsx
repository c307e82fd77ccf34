// The assets of a company, with the open findings of each.

import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { to } from '../../util/path-builder.ts'
import { oneOf, text, useUrlState } from '../../util/url-state.ts'
import { counted } from '../../util/words.ts'
import { useColumns } from './columns.tsx'
import { type AssetRow, Assets } from './documents.ts'
import { AssetDialog } from './form.tsx'

const orders = [
  'name-ASC',
  'risk_score-DESC',
  'risk_score-ASC',
  'name-DESC',
  'updated_at-DESC',
  'updated_at-ASC',
] as const
const shape = { search: text(), order: oneOf(orders, 'risk_score-DESC') }

export function Component() {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { session } = useSession()
  const [{ search, order }, setState] = useUrlState(shape)
  const [isAdding, setAdding] = useState(false)
  const asked = useMemo(() => {
    const [sortBy, direction] = order.split('-') as ['name' | 'risk_score' | 'updated_at', 'ASC' | 'DESC']
    return { companyId, search: { sortBy, order: direction, name: search.trim() || undefined } }
  }, [companyId, search, order])
  const list = useList(Assets, asked, ({ assets }) => assets)
  const columns = useColumns(companyId)
  const [field = '', direction] = order.split('-')
  const mayNot = whyNot(session, companyId, 'assets:write')
  return (
    <Page
      title="Assets"
      isFilled
      count={list.total && counted(list.total.count, 'asset')}
      actions={
        <>
          <ButtonLink to={to.applications({ companyId })}>Applications</ButtonLink>
          <Button tone="main" onClick={() => setAdding(true)} disabledReason={mayNot}>
            New asset
          </Button>
        </>
      }
      filters={
        <SearchBox
          label="Search assets"
          value={search}
          onChange={(typed) => setState({ search: typed }, { push: false })}
        />
      }
    >
      <ListTable<AssetRow>
        label="Assets"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        sort={{ field, isDown: direction === 'DESC' }}
        onSort={({ field: by, isDown }) => {
          const asked = orders.find((known) => known === `${by}-${isDown ? 'DESC' : 'ASC'}`)
          if (asked) setState({ order: asked })
        }}
        onOpen={({ id }) => navigate(to.asset({ companyId, assetId: id }))}
        empty={
          <Empty
            title={search ? 'No assets match the search' : 'No assets yet'}
            command={`merlon asset create "my-service" --company ${companyId}`}
          >
            <p>An asset is what findings belong to: a repository, a service, an application or an image.</p>
          </Empty>
        }
      />
      {isAdding && (
        <AssetDialog
          companyId={companyId}
          onClose={() => setAdding(false)}
          onDone={(id) => navigate(to.asset({ companyId, assetId: id }))}
        />
      )}
    </Page>
  )
}
