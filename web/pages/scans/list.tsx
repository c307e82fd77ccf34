// The scans of a company: those that run now, and the results of the last ones.

import { useEffect, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { AssetFacet } from '../../table/asset-facet.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Facet, Narrowed } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { sinceWords, startOf } from '../../util/since.ts'
import { ids, since, someOf, useUrlState } from '../../util/url-state.ts'
import { count, counted, duration, toolName, withToolNames, wordsOf } from '../../util/words.ts'
import { CancelScan, type ScanRow, Scans } from './documents.ts'
import styles from './scans.module.css'
import { standings } from './standings.ts'

const StartScan = lateDialog(() => import('./start.tsx'))

type State = EnumOf<'ControlSyncStatusState'>
const states = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const satisfies readonly State[]

const shape = { state: someOf(states), asset: ids(), since: since() }

/** The polling interval in milliseconds while a scan runs. */
const LOOK = 2_000

export function Component() {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const [{ state, asset, since: from }, setState] = useUrlState(shape)
  // one moment while the span stays the same: a new one with each render would be a new list each time
  const begins = useMemo(() => (from === '' ? undefined : startOf(from)), [from])
  const [isStarting, setStarting] = useState(false)
  const asked = {
    companyId,
    assetIds: asset.length > 0 ? [...asset] : undefined,
    filters: {
      statuses: state.length > 0 ? [...state] : undefined,
      createdAtRange: begins === undefined ? undefined : { startDate: begins },
    },
  }
  const list = useList(Scans, asked, ({ scanHistories }) => scanHistories)
  const { again } = list
  const isAnyRunning = list.rows.some(({ status }) => status === 'RUNNING' || status === 'PENDING')
  useEffect(() => {
    if (!isAnyRunning) return
    const timer = setInterval(() => void again(), LOOK)
    return () => clearInterval(timer)
  }, [isAnyRunning, again])
  const columns = useColumns(companyId, isAnyRunning, again)
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'scans:write')
  const isNarrowed = state.length + asset.length > 0 || from !== ''
  return (
    <Page
      title="Scans"
      isFilled
      count={list.total && counted(list.total.count, 'scan')}
      actions={
        <Button tone="main" disabledReason={mayNot} onClick={() => setStarting(true)}>
          Start a scan…
        </Button>
      }
      filters={
        <>
          <Facet
            name="State"
            options={states}
            chosen={state}
            onChange={(chosen) => setState({ state: chosen })}
            show={wordsOf}
          />
          <AssetFacet companyId={companyId} chosen={asset} onChange={(chosen) => setState({ asset: chosen })} />
          {from !== '' && <Narrowed to={`Started: ${sinceWords(from)}`} onClear={() => setState({ since: '' })} />}
        </>
      }
    >
      <ListTable<ScanRow>
        label="Scans"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ id }) => `Scan ${id}`}
        onOpen={(scan) => navigate(cameTo(companyId, scan))}
        empty={
          isNarrowed ? (
            <Empty title="No scans match the filters">
              <ButtonLink to={to.scans({ companyId })}>Show all scans</ButtonLink>
            </Empty>
          ) : (
            <Empty title="No scans yet" command="merlon scan https://service.example.com">
              <p>Start a scan of an asset above, or scan from your own machine:</p>
            </Empty>
          )
        }
      />
      {isStarting && <StartScan companyId={companyId} onClose={() => setStarting(false)} />}
    </Page>
  )
}

/** Links to the findings that the scan was the first to report, or, if there are none, to the scanner's configuration. */
const cameTo = (companyId: string, { id, asset, createdVulnerabilityCount }: ScanRow): string =>
  createdVulnerabilityCount > 0
    ? to.findings({ companyId }, `status=any&scan=${id}`)
    : to.asset({ companyId, assetId: asset.id }, 'scanner')

function useColumns(companyId: string, isAnyRunning: boolean, again: () => Promise<void>): Column<ScanRow>[] {
  const { session } = useSession()
  const change = useChange()
  const mayNot = whyNot(session, companyId, 'scans:write')
  return useMemo(() => {
    const cancel = async (id: string) => {
      await change(CancelScan, { input: { id } })
      await again()
    }
    const all: Column<ScanRow>[] = [
      {
        id: 'state',
        header: 'State',
        meta: { width: 'clamp(100px, 15cqi, 116px)' },
        cell: ({ row: { original } }) => (
          <StandingWord of={standings[original.status]}>{wordsOf(original.status)}</StandingWord>
        ),
      },
      {
        id: 'asset',
        header: 'Asset',
        meta: { width: 'clamp(104px, 22cqi, 400px)', isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.asset({ companyId, assetId: original.asset.id }, 'scanner')} tabIndex={-1}>
              {original.asset.name}
            </Link>
            <Beneath of={[toolName(original.integration), <Moment key="at" at={original.createdAt} />]} />
          </>
        ),
      },
      {
        id: 'tool',
        header: 'Tool',
        meta: { width: '140px', isExtra: true },
        cell: ({ row }) => toolName(row.original.integration),
      },
      {
        id: 'came',
        header: 'Result',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => <Came scan={original} companyId={companyId} />,
      },
      {
        id: 'took',
        header: 'Duration',
        meta: { width: '84px', isNumber: true, isExtra: true, isLast: true },
        cell: ({ row: { original } }) =>
          original.durationInSeconds === null ? null : duration(original.durationInSeconds),
      },
      {
        id: 'at',
        header: 'Started',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
      {
        id: 'cancel',
        header: () => <span className="heard">Actions</span>,
        meta: { width: 'clamp(84px, 13cqi, 98px)' },
        cell: ({ row: { original } }) =>
          (original.status === 'RUNNING' || original.status === 'PENDING') && (
            <ActionButton
              size="small"
              aria-label={`Cancel the scan of ${original.asset.name}`}
              disabledReason={mayNot}
              action={() => cancel(original.id)}
            >
              Cancel
            </ActionButton>
          ),
      },
    ]
    // where nothing runs there is nothing to cancel, and what scans came to has its place
    return isAnyRunning ? all : all.filter(({ id }) => id !== 'cancel')
  }, [companyId, isAnyRunning, mayNot, change, again])
}

function Came({ scan, companyId }: { scan: ScanRow; companyId: string }) {
  if (scan.dynamicScan && scan.status === 'RUNNING') return <Live of={scan.dynamicScan} />
  if (scan.status === 'PENDING') return <span className="muted">queued</span>
  if (scan.failureReason !== null) {
    return (
      <span className={styles.failed} title={scan.failureReason}>
        {withToolNames(scan.failureReason)}
      </span>
    )
  }
  const { importedVulnerabilityCount: seen, createdVulnerabilityCount: made, closedVulnerabilityCount: closed } = scan
  return (
    <>
      {counted(seen, 'finding')}
      {made > 0 && (
        <>
          ,{' '}
          <Link to={to.findings({ companyId }, `status=any&scan=${scan.id}`)} tabIndex={-1}>
            {count(made)} new
          </Link>
        </>
      )}
      {closed > 0 ? `, ${count(closed)} closed` : ''}
    </>
  )
}

function Live({ of: { phase, done, of, requests, findings } }: { of: NonNullable<ScanRow['dynamicScan']> }) {
  return (
    <span className={styles.live} title={phase ? `${phase}: ${done} of ${of}` : undefined}>
      <progress aria-label="Progress" value={of > 0 ? done / of : 0} max={1} className={styles.progress} />
      <span className="muted number">{count(requests)} requests</span>
      <SeverityCounts of={findings} isInTable />
    </span>
  )
}
