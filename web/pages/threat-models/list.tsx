// The threat models of a company, each with its versions: who maintains them, and how to add one.

import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { text, useUrlState } from '../../util/url-state.ts'
import { counted } from '../../util/words.ts'
import { type ThreatModelRow, ThreatModels } from './documents.ts'
import { ThreatModelDialog } from './form.tsx'
import { formatName } from './formats.ts'

const shape = { search: text() }

export function Component() {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { session } = useSession()
  const [{ search }, setState] = useUrlState(shape)
  const [isAdding, setAdding] = useState(false)
  const list = useList(
    ThreatModels,
    { companyId, search: search.trim() || undefined },
    ({ threatModelArtifacts }) => threatModelArtifacts,
  )
  const columns = useColumns(companyId)
  const mayNot = whyNot(session, companyId, 'requirements:write')
  return (
    <Page
      title="Threat models"
      crumbs={[{ name: 'Requirements', path: to.requirements({ companyId }) }]}
      isFilled
      count={list.total && counted(list.total.count, 'threat model')}
      actions={
        <Button tone="main" onClick={() => setAdding(true)} disabledReason={mayNot}>
          New threat model
        </Button>
      }
      filters={
        <SearchBox
          label="Search threat models"
          value={search}
          onChange={(typed) => setState({ search: typed }, { push: false })}
        />
      }
    >
      <ListTable<ThreatModelRow>
        label="Threat models"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ label }) => label}
        onOpen={({ id }) => navigate(to.threatModel({ companyId, artifactId: id }))}
        empty={
          <Empty title={search ? 'No threat models match the search' : 'No threat models yet'}>
            <p>
              A threat model describes a system and what threatens it. It is stored in numbered versions, each with the
              requirements created from it.
            </p>
            {search === '' && (
              <Button tone="main" onClick={() => setAdding(true)} disabledReason={mayNot}>
                Create threat model
              </Button>
            )}
          </Empty>
        }
      />
      {isAdding && (
        <ThreatModelDialog
          companyId={companyId}
          onClose={() => setAdding(false)}
          onDone={(id) => navigate(to.threatModel({ companyId, artifactId: id }))}
        />
      )}
    </Page>
  )
}

function useColumns(companyId: string): Column<ThreatModelRow>[] {
  return useMemo(
    () => [
      {
        id: 'label',
        header: 'Name',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.threatModel({ companyId, artifactId: original.id })} tabIndex={-1}>
              {original.label}
            </Link>
            <Beneath of={[original.assignee?.name, <Moment key="at" at={original.updatedAt} />]} />
          </>
        ),
      },
      {
        id: 'version',
        header: 'Version',
        meta: { width: '84px', isNumber: true },
        cell: ({ row }) => row.original.latestVersion?.version ?? <span className="muted">none</span>,
      },
      {
        id: 'kind',
        header: 'Format',
        meta: { width: '170px', isExtra: true, isLast: true },
        cell: ({ row: { original } }) =>
          original.latestVersion?.diagramType && formatName(original.latestVersion.diagramType),
      },
      {
        id: 'assignee',
        header: 'Assigned to',
        meta: { width: '170px', isExtra: true },
        cell: ({ row }) => row.original.assignee?.name ?? <span className="muted">unassigned</span>,
      },
      {
        id: 'changed',
        header: 'Updated',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.updatedAt} />,
      },
    ],
    [companyId],
  )
}
