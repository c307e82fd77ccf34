// The page with a company's findings: a long list, filtered by the address, with decisions by keyboard.

import { Download } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Outlet, useLocation, useNavigate, useParams } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { ColumnsMenu } from '../../table/columns-menu.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { useKeys } from '../../util/keys.ts'
import { to } from '../../util/path-builder.ts'
import { useUrlState } from '../../util/url-state.ts'
import { countedUpTo } from '../../util/words.ts'
import { Bulk } from './bulk.tsx'
import { BySeverity } from './by-severity.tsx'
import { columnWord, useColumns } from './columns.tsx'
import type { Deciding } from './decide.tsx'
import { CountFindings, Findings } from './documents.ts'
import { FilterBar } from './filter-bar.tsx'
import { askedBy, columnNames, type Filters, filterShape, isNarrowed, orderOf, sortOf } from './filters.ts'
import styles from './list.module.css'
import { ListDialogs, type Open } from './list-dialogs.tsx'
import { useChanged } from './use-changed.ts'
import { useDeciding } from './use-deciding.ts'
import { SavedViews } from './views.tsx'

/** What the panel needs from the list beside it. */
export type Beside = {
  close: () => void
  decide: (deciding: Deciding) => void
  /** Reloads the list and the panel. */
  changed: () => void
  /** Forgets findings that no longer exist, and reloads the list. */
  gone: (ids: readonly string[]) => void
  decided: number
}

/** The key resets what is chosen, queried and open when the company changes. */
export function Component() {
  const companyId = useCompanyId()
  return <FindingsOf key={companyId} companyId={companyId} />
}

function FindingsOf({ companyId }: { companyId: string }) {
  const { issueId } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [filters, setFilters] = useUrlState(filterShape)
  const asked = useMemo(() => askedBy(companyId, filters), [companyId, filters])
  const list = useList(
    Findings,
    asked,
    ({ issues }) => issues,
    async (question) => (await question(CountFindings, { companyId, filters: asked.filters })).issues.metadata,
  )
  const columns = useColumns(companyId, search, filters.columns)
  const [open, setOpen] = useState<Open | null>(null)
  const close = useCallback(() => navigate(to.findings({ companyId }, search)), [navigate, companyId, search])
  const { chosen, setChosen, chosenIds, decided, changed, changedChosen, gone } = useChanged({
    again: list.again,
    openId: issueId,
    closePanel: close,
    closeDialog: () => setOpen(null),
  })
  const { rows, total } = list
  const { byKey, ...deciding } = useDeciding({ companyId, rows, chosenIds, openId: issueId, decide: setOpen })
  useKeys({
    ...(byKey ? { d: byKey } : {}),
    Escape: () => (issueId === undefined ? setChosen({}) : close()),
  })
  const shown = total && countedUpTo(total, 'finding')
  const beside: Beside = { close, decide: setOpen, changed, gone, decided }

  return (
    <Page
      title="Findings"
      isFilled
      count={shown}
      counts={
        <BySeverity
          companyId={companyId}
          filters={asked.filters}
          chosen={filters.severity}
          onChange={(severity) => setFilters({ severity })}
          isWaiting={list.isStale || total === null}
        />
      }
      actions={
        <Actions
          companyId={companyId}
          columns={filters.columns}
          onColumns={(columns) => setFilters({ columns })}
          onExport={() => setOpen('export')}
        />
      }
      filters={<FilterBar companyId={companyId} filters={filters} onChange={setFilters} />}
    >
      <div className={styles.list}>
        {chosenIds.length > 0 && (
          <Bulk
            companyId={companyId}
            ids={chosenIds}
            rows={rows.filter(({ id }) => chosen[id])}
            onDecide={deciding.decideChosen}
            mayNotDecide={deciding.mayNotChosen}
            all={total !== null && total.count > chosenIds.length ? shown : null}
            onDecideAll={() => setOpen('all')}
            mayNotDecideAll={deciding.mayNot}
            onNone={() => setChosen({})}
            onDeleted={() => gone(chosenIds)}
            onMerged={changedChosen}
          />
        )}
        <ListTable
          list={list}
          label="Findings"
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ title }) => title}
          sort={sortOf(filters.order)}
          onSort={(sort) => setFilters({ order: orderOf(sort) })}
          chosen={chosen}
          onChoose={setChosen}
          openId={issueId}
          onOpen={({ id }, { isReplacing }) =>
            // rendered synchronously, so that steps in quick succession each start from the row before
            navigate(to.finding({ companyId, issueId: id }, search), { replace: isReplacing, flushSync: true })
          }
          empty={<Nothing companyId={companyId} isFiltered={isNarrowed(filters)} />}
        />
      </div>
      <Outlet context={beside} />
      {open !== null && (
        <ListDialogs
          open={open}
          companyId={companyId}
          filters={asked.filters}
          shown={shown}
          chosenIds={chosenIds}
          onClose={() => setOpen(null)}
          onDecided={changedChosen}
        />
      )}
    </Page>
  )
}

type ActionsProps = {
  companyId: string
  columns: Filters['columns']
  onColumns: (columns: Filters['columns']) => void
  onExport: () => void
}

function Actions({ companyId, columns, onColumns, onExport }: ActionsProps) {
  const { session } = useSession()
  return (
    <>
      <Button onClick={onExport} disabledReason={whyNot(session, companyId, 'issues:read')}>
        <Download size={14} aria-hidden /> Export…
      </Button>
      <ColumnsMenu
        names={columnNames}
        shown={columns}
        usual={filterShape.columns.initial}
        onChange={onColumns}
        wordOf={columnWord}
      />
      <SavedViews companyId={companyId} />
    </>
  )
}

function Nothing({ companyId, isFiltered }: { companyId: string; isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <Empty title="No findings match the filters">
        <ButtonLink to={to.findings({ companyId })}>Show open findings</ButtonLink>
      </Empty>
    )
  }
  return (
    <Empty title="No open findings" command="merlon import report.sarif --asset <id>">
      <p>Findings that scanners report or people add appear here. Import a scanner’s report:</p>
    </Empty>
  )
}
