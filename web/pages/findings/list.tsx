// The page with a company's findings: a long list, filtered by the address, with decisions by keyboard.

import { Download } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Outlet, useLocation, useNavigate, useParams } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import type { Chosen } from '../../table/column.ts'
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
import { useColumns } from './columns.tsx'
import type { Deciding } from './decide.tsx'
import { CountFindings, type FindingRow, Findings } from './documents.ts'
import { FilterBar } from './filter-bar.tsx'
import { askedBy, filterShape, isNarrowed, orderOf, sortOf } from './filters.ts'
import styles from './list.module.css'
import { ListDialogs, type Open } from './list-dialogs.tsx'
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
  const { session } = useSession()
  const [filters, setFilters] = useUrlState(filterShape)
  const asked = useMemo(() => askedBy(companyId, filters), [companyId, filters])
  const list = useList(
    Findings,
    asked,
    ({ issues }) => issues,
    async (question) => (await question(CountFindings, { companyId, filters: asked.filters })).issues.metadata,
  )
  const [chosen, setChosen] = useState<Chosen>({})
  const [open, setOpen] = useState<Open | null>(null)
  const [decided, setDecided] = useState(0)
  const columns = useColumns(companyId, search, filters.columns)

  const close = useCallback(() => navigate(to.findings({ companyId }, search)), [navigate, companyId, search])
  const openPanel = (row: FindingRow, { isReplacing }: { isReplacing: boolean }) =>
    // rendered synchronously, so that steps in quick succession each start from the row before
    navigate(to.finding({ companyId, issueId: row.id }, search), { replace: isReplacing, flushSync: true })

  const chosenIds = Object.keys(chosen)
  const { rows, total } = list
  const { byKey, ...deciding } = useDeciding({ companyId, rows, chosenIds, openId: issueId, decide: setOpen })
  useKeys({
    ...(byKey ? { d: byKey } : {}),
    Escape: () => (issueId === undefined ? setChosen({}) : close()),
  })

  const changed = () => {
    setDecided((before) => before + 1)
    void list.again()
  }
  const changedChosen = () => {
    setOpen(null)
    setChosen({})
    changed()
  }
  const gone = (ids: readonly string[]) => {
    setChosen((before) => Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))))
    if (issueId !== undefined && ids.includes(issueId)) close()
    void list.again()
  }
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
        <>
          <Button onClick={() => setOpen('export')} disabledReason={whyNot(session, companyId, 'issues:read')}>
            <Download size={14} aria-hidden /> Export…
          </Button>
          <SavedViews companyId={companyId} />
        </>
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
          onOpen={openPanel}
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
