// The applications of a company: groups of assets that form one product for its users, each with the score of its riskiest asset.

import { useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { DataTable } from '../../table/data-table.tsx'
import { SearchBox } from '../../table/filters.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { text, useUrlState } from '../../util/url-state.ts'
import { count, counted, riskOf } from '../../util/words.ts'
import styles from './applications.module.css'
import { type ApplicationRow, Applications } from './documents.ts'
import { NewApplication, OpenApplication } from './form.tsx'

const shape = { search: text(), application: text() }

/** The most that one answer of the contract holds. */
const MOST = 1_000

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const [{ search, application }, setState] = useUrlState(shape)
  const [isAdding, setAdding] = useState(false)
  const words = search.trim()
  const answer = useAsk(Applications, { companyId, search: words || null }, { affectedBy: ['Application'] })
  const mayNot = whyNot(session, companyId, 'applications:write')
  const found = answer.data?.applications.length
  return (
    <Page
      title="Applications"
      crumbs={[{ name: 'Assets', path: to.assets({ companyId }) }]}
      isFilled
      count={found !== undefined && `${counted(found, 'application')}${found === MOST ? ' or more' : ''}`}
      actions={
        <Button tone="main" disabledReason={mayNot} onClick={() => setAdding(true)}>
          New application
        </Button>
      }
      filters={
        <SearchBox
          label="Search applications"
          value={search}
          onChange={(typed) => setState({ search: typed }, { push: false })}
        />
      }
    >
      <div className={styles.list}>
        <Answered of={answer} lines={8}>
          {({ applications }) => (
            <DataTable<ApplicationRow>
              label="Applications"
              rows={applications}
              columns={columns}
              total={applications.length}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              onOpen={({ id }) => setState({ application: id })}
              empty={
                <Empty title={words === '' ? 'No applications yet' : 'No applications match the search'}>
                  <p>An application groups assets, such as a shop’s website, service and database.</p>
                  {words === '' && (
                    <Button onClick={() => setAdding(true)} disabledReason={mayNot}>
                      Group the first assets
                    </Button>
                  )}
                </Empty>
              }
            />
          )}
        </Answered>
      </div>
      {isAdding && <NewApplication companyId={companyId} mayNot={mayNot} onClose={() => setAdding(false)} />}
      {application !== '' && (
        <OpenApplication
          id={application}
          companyId={companyId}
          mayNot={mayNot}
          onClose={() => setState({ application: '' })}
        />
      )}
    </Page>
  )
}

const columns: Column<ApplicationRow>[] = [
  {
    id: 'name',
    header: 'Name',
    meta: { isSentence: true },
    cell: ({ row: { original } }) => (
      <>
        {original.name}
        <Beneath of={[original.description]} />
      </>
    ),
  },
  {
    id: 'assets',
    header: 'Assets',
    meta: { width: '84px', isNumber: true },
    cell: ({ row }) => count(row.original.assetsCount),
  },
  {
    id: 'risk',
    header: 'Risk',
    meta: { width: '84px', isNumber: true },
    cell: ({ row }) => riskOf(row.original.riskScore),
  },
  {
    id: 'what',
    header: 'Description',
    meta: { width: '36%', isExtra: true },
    cell: ({ row }) => <span className="muted">{row.original.description}</span>,
  },
  {
    id: 'updated',
    header: 'Updated',
    meta: { width: '112px', isExtra: true, isNumber: true },
    cell: ({ row }) => <Moment at={row.original.updatedAt} />,
  },
]
