// The deliveries to a webhook, newest first, with the answer to each and a button to send it again.

import { useMemo } from 'react'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { Facet } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { someOf, useUrlState } from '../../util/url-state.ts'
import { wordsOf } from '../../util/words.ts'
import styles from './settings.module.css'
import { Deliveries, type Delivery, Replay } from './webhook-documents.ts'

const tones: Record<EnumOf<'WebhookDeliveryState'>, Standing> = {
  PENDING: 'waiting',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
}

const stateNames = ['PENDING', 'DELIVERED', 'GIVEN_UP'] as const satisfies readonly EnumOf<'WebhookDeliveryState'>[]

const shape = { state: someOf(stateNames) }

type Props = {
  companyId: string
  mayNot: string | undefined
  /** Creates the first webhook; undefined once there is one. */
  onFirst: (() => void) | undefined
}

export function WebhookDeliveries({ companyId, mayNot, onFirst }: Props) {
  const change = useChange()
  const [{ state }, setState] = useUrlState(shape)
  const states = state.length === 0 ? undefined : [...state]
  const list = useList(Deliveries, { companyId, states }, ({ webhookDeliveries }) => webhookDeliveries)
  const { again } = list
  const columns = useMemo<Column<Delivery>[]>(() => {
    const replay = async ({ id, webhookId }: Delivery) => {
      await change(Replay, { input: { id: webhookId, deliveryIds: [id] } }, ['WebhookDelivery'])
      say('Delivery queued for resend.')
      await again()
    }
    return [
      {
        id: 'state',
        header: 'State',
        meta: { width: 'clamp(94px, 12cqi, 110px)' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.state]}>{wordsOf(original.state)}</StandingWord>
        ),
      },
      {
        id: 'kind',
        header: 'Event',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <span className="code">{original.kind}</span>
            <Beneath
              of={[original.failure ?? original.responseStatus]}
              onPhone={[<Moment key="at" at={original.createdAt} />]}
            />
          </>
        ),
      },
      {
        id: 'answer',
        header: 'Response',
        meta: { width: '30%', isExtra: true },
        cell: ({ row: { original } }) => original.failure ?? original.responseStatus,
      },
      {
        id: 'attempts',
        header: 'Tries',
        meta: { width: '70px', isNumber: true, isExtra: true },
        cell: ({ row }) => row.original.attempts,
      },
      {
        id: 'at',
        header: 'When',
        meta: { width: '112px', isSpare: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
      {
        id: 'again',
        header: () => <span className="heard">Actions</span>,
        meta: { width: 'clamp(100px, 17cqi, 130px)' },
        cell: ({ row: { original } }) => (
          <ActionButton
            size="small"
            aria-label={`Resend: delivery ${original.id}`}
            disabledReason={mayNot ?? (original.state === 'PENDING' ? 'Delivery is pending.' : undefined)}
            action={() => replay(original)}
          >
            Resend
          </ActionButton>
        ),
      },
    ]
  }, [change, again, mayNot])
  return (
    <>
      <div className={styles.narrowing}>
        <Facet
          name="State"
          options={stateNames}
          chosen={state}
          onChange={(chosen) => setState({ state: chosen })}
          show={wordsOf}
        />
      </div>
      <ListTable<Delivery>
        isPart
        label="Deliveries"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ kind }) => kind}
        empty={
          states ? (
            <Empty title="No deliveries in this state">
              <Button onClick={() => setState({ state: [] })}>Show all deliveries</Button>
            </Empty>
          ) : (
            <NoneYet mayNot={mayNot} onFirst={onFirst} />
          )
        }
      />
    </>
  )
}

const NoneYet = ({ mayNot, onFirst }: Omit<Props, 'companyId'>) =>
  onFirst ? (
    <Empty title="No deliveries yet">
      <p>Events are signed, sent to every webhook subscribed to them, and retried on failure.</p>
      <Button onClick={onFirst} disabledReason={mayNot}>
        Create the first webhook
      </Button>
    </Empty>
  ) : (
    <Empty title="No deliveries yet" command="merlon import report.sarif --asset <id>">
      <p>Events are sent to every webhook subscribed to them. Send a test from a webhook above, or import a report:</p>
    </Empty>
  )
