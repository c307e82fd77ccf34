// What was exchanged with trackers, newest first, and the way to try again what failed.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { orSay, say } from '../../frame/toasts.tsx'
import type { Column } from '../../table/data-table.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { ReplaySync, SyncLog, type SyncRow } from './documents.ts'

const tones: Record<EnumOf<'SyncOutcome'>, Standing> = {
  DONE: 'good',
  SKIPPED: 'plain',
  REFUSED: 'bad',
  FAILED: 'warned',
}

export default function Deliveries() {
  const companyId = useCompanyId()
  const change = useChange()
  const list = useList(SyncLog, { companyId }, ({ syncDeliveries }) => syncDeliveries)
  const { again } = list
  const columns = useMemo<Column<SyncRow>[]>(() => {
    const replay = ({ integration, at }: SyncRow) =>
      orSay(async () => {
        const { replaySync } = await change(ReplaySync, { input: { integrationId: integration.id, since: at } })
        say(`${counted(replaySync?.count ?? 0, 'card')} looked at again.`)
        await again()
      })
    return [
      {
        id: 'outcome',
        header: 'Outcome',
        meta: { width: '100px' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.outcome]}>{wordsOf(original.outcome)}</StandingWord>
        ),
      },
      { id: 'action', header: 'What', meta: { width: '130px' }, cell: ({ row }) => wordsOf(row.original.action) },
      {
        id: 'issue',
        header: 'Finding',
        meta: { width: '96px', isExtra: true },
        cell: ({ row: { original } }) =>
          original.issueId && <Link to={to.finding({ companyId, issueId: original.issueId })}>{original.issueId}</Link>,
      },
      {
        id: 'why',
        header: 'In words',
        cell: ({ row: { original } }) => (
          <span title={original.answer ?? undefined}>{original.reason ?? original.answer ?? original.request}</span>
        ),
      },
      {
        id: 'at',
        header: 'When',
        meta: { width: '112px' },
        cell: ({ row }) => <Moment at={row.original.at} />,
      },
      {
        id: 'again',
        header: () => <span className="heard">What can be done</span>,
        meta: { width: '140px' },
        cell: ({ row: { original } }) =>
          original.outcome !== 'DONE' && (
            <Button
              size="small"
              aria-label={`Try again from exchange ${original.id} on`}
              onClick={() => void replay(original)}
            >
              Try again
            </Button>
          ),
      },
    ]
  }, [companyId, change, again])
  return (
    <ListTable<SyncRow>
      isPart
      label="Exchanges with trackers"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ id }) => `Exchange ${id}`}
      empty={
        <Empty title="Nothing was exchanged yet">
          <p>What is sent to a tracker and what it says stands here for thirty days.</p>
        </Empty>
      }
    />
  )
}
