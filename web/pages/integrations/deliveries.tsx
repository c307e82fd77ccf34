// The exchanges with trackers, newest first, with a retry for those that failed.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Facet } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { someOf, useUrlState } from '../../util/url-state.ts'
import { counted, withStatusWords, withToolNames, wordsOf } from '../../util/words.ts'
import { ReplaySync, SyncLog, type SyncRow } from './delivery-documents.ts'
import styles from './integrations.module.css'

const tones: Record<EnumOf<'SyncOutcome'>, Standing> = {
  DONE: 'good',
  SKIPPED: 'plain',
  REFUSED: 'bad',
  FAILED: 'warned',
}

const actionWords: Record<EnumOf<'SyncAction'>, string> = {
  CREATE: 'Card created',
  MOVE: 'Card moved',
  READ: 'Card read',
  UPDATE_FINDING: 'Finding updated',
  NONE: 'None',
  POLL: 'Cards polled',
}

const said = ({ reason, answer, request }: SyncRow): string =>
  withStatusWords(withToolNames(reason ?? answer ?? request ?? ''))

function FindingOf({ one: { issueId, issue }, companyId }: { one: SyncRow; companyId: string }) {
  if (issueId === null) return null
  if (issue === null) return <span className="muted">{issueId}, deleted</span>
  return (
    <Link to={to.finding({ companyId, issueId })} tabIndex={-1}>
      {issue.title}
    </Link>
  )
}

const outcomeNames = ['DONE', 'SKIPPED', 'REFUSED', 'FAILED'] as const satisfies readonly EnumOf<'SyncOutcome'>[]

const shape = { outcome: someOf(outcomeNames) }

export default function Deliveries() {
  const companyId = useCompanyId()
  const change = useChange()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'integrations:write')
  const [{ outcome }, setState] = useUrlState(shape)
  const outcomes = outcome.length === 0 ? undefined : [...outcome]
  const list = useList(SyncLog, { companyId, outcomes }, ({ syncDeliveries }) => syncDeliveries)
  const { again } = list
  const columns = useMemo<Column<SyncRow>[]>(() => {
    const replay = async ({ integration, at }: SyncRow) => {
      const { replaySync } = await change(ReplaySync, { input: { integrationId: integration.id, since: at } })
      say(`${counted(replaySync?.count ?? 0, 'card')} queued for retry.`)
      await again()
    }
    return [
      {
        id: 'outcome',
        header: 'Outcome',
        meta: { width: '100px' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.outcome]}>{wordsOf(original.outcome)}</StandingWord>
        ),
      },
      {
        id: 'action',
        header: 'Action',
        meta: { width: '130px', isExtra: true, isLast: true },
        cell: ({ row }) => actionWords[row.original.action],
      },
      {
        id: 'issue',
        header: 'Finding',
        meta: { width: '24%', isExtra: true },
        cell: ({ row }) => <FindingOf one={row.original} companyId={companyId} />,
      },
      {
        id: 'why',
        header: 'Details',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <span title={original.answer ?? undefined}>{said(original)}</span>
            <Beneath
              of={[<FindingOf key="of" one={original} companyId={companyId} />]}
              onPhone={[<Moment key="at" at={original.at} />]}
            />
          </>
        ),
      },
      {
        id: 'at',
        header: 'When',
        meta: { width: '112px', isSpare: true },
        cell: ({ row }) => <Moment at={row.original.at} />,
      },
      {
        id: 'again',
        header: () => <span className="heard">Actions</span>,
        meta: { width: 'clamp(112px, 16cqi, 140px)' },
        cell: ({ row: { original } }) => (
          <ActionButton
            size="small"
            aria-label={`Retry from entry ${original.id}`}
            disabledReason={mayNot ?? (original.outcome === 'DONE' ? 'Already done.' : undefined)}
            hint="Retries all that failed, was refused or was skipped since then"
            action={() => replay(original)}
          >
            Retry
          </ActionButton>
        ),
      },
    ]
  }, [companyId, change, again, mayNot])
  return (
    <>
      <div className={styles.narrowing}>
        <Facet
          name="Outcome"
          options={outcomeNames}
          chosen={outcome}
          onChange={(chosen) => setState({ outcome: chosen })}
          show={wordsOf}
        />
      </div>
      <ListTable<SyncRow>
        isPart
        label="Tracker sync log"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ id }) => `Sync entry ${id}`}
        empty={
          <Empty title={outcomes ? 'No entries with this outcome' : 'No sync activity yet'}>
            <p>Requests to trackers and their responses are kept for 30 days.</p>
            {!outcomes && <ButtonLink to={to.integrations({ companyId })}>Connect a tracker or map a board</ButtonLink>}
          </Empty>
        }
      />
    </>
  )
}
