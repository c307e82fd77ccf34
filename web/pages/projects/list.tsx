// The projects of a company: pieces of work on some of its assets.

import { useState } from 'react'
import { useNavigate } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import type { Chosen } from '../../table/column.ts'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useKeys } from '../../util/keys.ts'
import { to } from '../../util/path-builder.ts'
import { text, useUrlState } from '../../util/url-state.ts'
import { counted } from '../../util/words.ts'
import { BulkOfProjects } from './bulk.tsx'
import { useProjectColumns } from './columns.tsx'
import { type ProjectRow, Projects } from './documents.ts'
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
  const columns = useProjectColumns(companyId)
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
