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
import { lateDialog } from '../../ui/late.tsx'
import { useKeys } from '../../util/keys.ts'
import { to } from '../../util/path-builder.ts'
import { useUrlState } from '../../util/url-state.ts'
import { counted, countedUpTo } from '../../util/words.ts'
import { Bulk } from './bulk.tsx'
import { BySeverity } from './by-severity.tsx'
import { useColumns } from './columns.tsx'
import type { Deciding } from './decide.tsx'
import { CountFindings, type FindingRow, Findings } from './documents.ts'
import { FilterBar } from './filter-bar.tsx'
import { askedBy, filterShape, isNarrowed, orderOf, sortOf } from './filters.ts'
import styles from './list.module.css'
import { SavedViews } from './views.tsx'

const DecideAllDialog = lateDialog(() => import('./decide-all.tsx'))
const DecideDialog = lateDialog(() => import('./decide.tsx'))
const ExportDialog = lateDialog(() => import('./export-dialog.tsx'))

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

/** The most findings that the contract changes in one request. */
const MOST_AT_ONCE = 1_000

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
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const [decided, setDecided] = useState(0)
  const [isDecidingAll, setDecidingAll] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const columns = useColumns(companyId, search, filters.columns)

  const close = useCallback(() => navigate(to.findings({ companyId }, search)), [navigate, companyId, search])
  const open = (row: FindingRow, { isReplacing }: { isReplacing: boolean }) =>
    // rendered synchronously, so that steps in quick succession each start from the row before
    navigate(to.finding({ companyId, issueId: row.id }, search), { replace: isReplacing, flushSync: true })

  const chosenIds = Object.keys(chosen)
  const mayNot = whyNot(session, companyId, 'issues:decide')
  const mayNotDecide =
    mayNot ??
    (chosenIds.length > MOST_AT_ONCE
      ? `At most ${counted(MOST_AT_ONCE, 'selected finding')} can be decided on at once; “Decide on all” takes more.`
      : undefined)
  const decideChosen = () => {
    const [only] = chosenIds
    const row = chosenIds.length === 1 ? list.rows.find(({ id }) => id === only) : undefined
    setDeciding({ ids: chosenIds, title: row?.title ?? '' })
  }
  const decideByKey = () => {
    if (mayNotDecide !== undefined) return
    if (chosenIds.length > 0) return decideChosen()
    const at = document.activeElement?.closest('[data-index]')?.getAttribute('data-index')
    const row = at == null ? undefined : list.rows[Number(at)]
    if (row) setDeciding({ ids: [row.id], title: row.title })
  }
  const decideOpen = (row: FindingRow) => mayNot === undefined && setDeciding({ ids: [row.id], title: row.title })
  const openRow = list.rows.find(({ id }) => id === issueId)
  // The panel handles `d` itself once it is loaded. For a finding in the list, nobody has to wait for that.
  useKeys({
    ...(issueId === undefined ? { d: decideByKey } : openRow ? { d: () => decideOpen(openRow) } : {}),
    Escape: () => (issueId === undefined ? setChosen({}) : close()),
  })

  const changed = () => {
    setDecided((before) => before + 1)
    void list.again()
  }
  const afterDecision = () => {
    setDeciding(null)
    setChosen({})
    changed()
  }
  const shown = list.total && countedUpTo(list.total, 'finding')
  const gone = (ids: readonly string[]) => {
    setChosen((before) => Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))))
    if (issueId !== undefined && ids.includes(issueId)) close()
    void list.again()
  }
  const beside: Beside = { close, decide: setDeciding, changed, gone, decided }

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
          isWaiting={list.isStale || list.total === null}
        />
      }
      actions={
        <>
          <Button onClick={() => setExporting(true)} disabledReason={whyNot(session, companyId, 'issues:read')}>
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
            rows={list.rows.filter(({ id }) => chosen[id])}
            onDecide={decideChosen}
            mayNotDecide={mayNotDecide}
            all={list.total !== null && list.total.count > chosenIds.length ? countedUpTo(list.total, 'finding') : null}
            onDecideAll={() => setDecidingAll(true)}
            mayNotDecideAll={mayNot}
            onNone={() => setChosen({})}
            onDeleted={() => gone(chosenIds)}
            onMerged={() => {
              setChosen({})
              changed()
            }}
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
          onOpen={open}
          empty={<Nothing companyId={companyId} isFiltered={isNarrowed(filters)} />}
        />
      </div>
      <Outlet context={beside} />
      {isExporting && (
        <ExportDialog
          companyId={companyId}
          filters={asked.filters ?? {}}
          shown={shown}
          chosenIds={chosenIds}
          onClose={() => setExporting(false)}
        />
      )}
      {isDecidingAll && (
        <DecideAllDialog
          companyId={companyId}
          filters={asked.filters ?? {}}
          onClose={() => setDecidingAll(false)}
          onDone={() => {
            setChosen({})
            changed()
          }}
        />
      )}
      {deciding && (
        <DecideDialog
          companyId={companyId}
          deciding={deciding}
          onClose={() => setDeciding(null)}
          onDone={afterDecision}
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
