// The decisions that were sent to outside scanners, newest first, with the outcome of each.

import { useMemo } from 'react'
import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Answered } from '../../ui/answered.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { ids, useUrlState } from '../../util/url-state.ts'
import { count, toolName, withToolNames, wordsOf } from '../../util/words.ts'
import { Scanners, type ToldRow, ToldScanner } from './delivery-documents.ts'
import styles from './integrations.module.css'

const tones: Record<EnumOf<'ScannerDeliveryState'>, Standing> = {
  PENDING: 'waiting',
  DELIVERED: 'good',
  UNSUPPORTED: 'plain',
  GIVEN_UP: 'bad',
  SUPERSEDED: 'plain',
}

const shape = { scanner: ids() }

export default function Told() {
  const companyId = useCompanyId()
  const answer = useAsk(Scanners, { companyId })
  const [{ scanner }, setState] = useUrlState(shape)
  return (
    <Answered of={answer}>
      {({ integrations: { collection, metadata } }) => {
        const chosen = collection.find(({ id }) => id === scanner[0]) ?? collection[0]
        if (chosen === undefined) {
          return (
            <Empty title="No scanner receives decisions">
              <p>Connect {toolName('SCANNER_B')} to send it decisions on its findings and see their delivery here.</p>
              <ButtonLink to={to.integrations({ companyId })}>Go to tools</ButtonLink>
            </Empty>
          )
        }
        return (
          <>
            {collection.length > 1 && (
              <label className={styles.narrowing}>
                Scanner
                <select value={chosen.id} onChange={(event) => setState({ scanner: [event.target.value] })}>
                  {collection.map((one) => (
                    <option key={one.id} value={one.id}>
                      {toolName('SCANNER_B')} {'region' in one ? (one.region ?? one.baseUrl) : ''} ({one.id})
                    </option>
                  ))}
                </select>
                {metadata.totalCount > collection.length && (
                  <span className="muted">
                    the newest {count(collection.length)} of {count(metadata.totalCount)}
                  </span>
                )}
              </label>
            )}
            <Decisions integrationId={chosen.id} />
          </>
        )
      }}
    </Answered>
  )
}

function Decisions({ integrationId }: { integrationId: string }) {
  const companyId = useCompanyId()
  const list = useList(ToldScanner, { integrationId }, ({ scannerDeliveries }) => scannerDeliveries)
  const columns = useMemo<Column<ToldRow>[]>(
    () => [
      {
        id: 'state',
        header: 'State',
        meta: { width: '120px' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.state]}>{wordsOf(original.state)}</StandingWord>
        ),
      },
      {
        id: 'status',
        header: 'Decision',
        meta: { width: '120px', isSpare: true },
        cell: ({ row }) => wordsOf(row.original.status),
      },
      {
        id: 'issue',
        header: 'Finding',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.issue ? (
              <Link to={to.finding({ companyId, issueId: original.issue.id })}>{original.issue.title}</Link>
            ) : (
              <span className="muted">deleted</span>
            )}
            <Beneath
              of={[withToolNames(original.failure ?? original.reason ?? '')]}
              onPhone={[wordsOf(original.status)]}
            />
          </>
        ),
      },
      {
        id: 'why',
        header: 'Details',
        meta: { isExtra: true },
        cell: ({ row: { original } }) => (
          <span title={original.request ?? undefined}>{withToolNames(original.failure ?? original.reason ?? '')}</span>
        ),
      },
      {
        id: 'tries',
        header: 'Tries',
        meta: { width: '60px', isNumber: true, isExtra: true },
        cell: ({ row }) => row.original.attempts,
      },
      {
        id: 'next',
        header: 'Next try',
        meta: { width: '100px', isExtra: true },
        cell: ({ row: { original } }) => original.nextAttemptAt && <Moment at={original.nextAttemptAt} />,
      },
      {
        id: 'at',
        header: 'When',
        meta: { width: 'clamp(92px, 12cqi, 112px)' },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
    ],
    [companyId],
  )
  return (
    <ListTable<ToldRow>
      isPart
      label="Decisions sent to the scanner"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ issue, id }) => issue?.title ?? `Decision ${id}`}
      empty={
        <Empty title="No decisions sent yet">
          <p>False positives and accepted risks on its findings are sent automatically and retried for three days.</p>
        </Empty>
      }
    />
  )
}
