// The projects of a company: pieces of work on some of its assets.

import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Chosen, Column } from '../../table/column.ts'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Day } from '../../ui/day.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useKeys } from '../../util/keys.ts'
import { to } from '../../util/path-builder.ts'
import { text, useUrlState } from '../../util/url-state.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { BulkOfProjects } from './bulk.tsx'
import { type ProjectRow, Projects } from './documents.ts'
import { Ends } from './ends.tsx'
import { ProjectDialog } from './form.tsx'
import styles from './projects.module.css'

const shape = { search: text() }

export function Component() {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { session } = useSession()
  const [{ search }, setState] = useUrlState(shape)
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<Chosen>({})
  const list = useList(Projects, { companyId, search: search.trim() || undefined }, ({ projects }) => projects)
  const ids = Object.keys(chosen)
  useKeys({ Escape: () => setChosen({}) })
  const columns = useMemo<Column<ProjectRow>[]>(
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
  return (
    <Page
      title="Projects"
      isFilled
      count={list.total && counted(list.total.count, 'project')}
      actions={
        <Button
          tone="main"
          onClick={() => setAdding(true)}
          disabledReason={whyNot(session, companyId, 'projects:write')}
        >
          New project
        </Button>
      }
      filters={
        <SearchBox
          label="Search projects"
          value={search}
          onChange={(typed) => setState({ search: typed }, { push: false })}
        />
      }
    >
      <div className={styles.list}>
        {ids.length > 0 && (
          <BulkOfProjects
            companyId={companyId}
            ids={ids}
            unseen={ids.filter((id) => list.rows.every((row) => row.id !== id)).length}
            onNone={() => setChosen({})}
            onDone={async () => {
              await list.again()
              setChosen({})
            }}
          />
        )}
        <ListTable<ProjectRow>
          label="Projects"
          list={list}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ label }) => label}
          chosen={chosen}
          onChoose={setChosen}
          onOpen={({ id }) => navigate(to.project({ companyId, projectId: id }))}
          empty={
            <Empty
              title={search ? 'No projects match the search' : 'No projects yet'}
              command={`merlon project create "Penetration test" --company ${companyId}`}
            >
              <p>A project is a piece of work on assets, such as a penetration test, with its own requirements.</p>
            </Empty>
          }
        />
      </div>
      {isAdding && (
        <ProjectDialog
          companyId={companyId}
          onClose={() => setAdding(false)}
          onDone={(id) => navigate(to.project({ companyId, projectId: id }))}
        />
      )}
    </Page>
  )
}
