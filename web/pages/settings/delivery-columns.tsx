// The columns of the deliveries to a webhook: what was sent, the answer to it, and a button to send it again.

import { useMemo } from 'react'
import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { say } from '../../frame/toasts.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { wordsOf } from '../../util/words.ts'
import { type Delivery, Replay } from './webhook-documents.ts'

const tones: Record<EnumOf<'WebhookDeliveryState'>, Standing> = {
  PENDING: 'waiting',
  DELIVERED: 'good',
  GIVEN_UP: 'bad',
}

export function useDeliveryColumns(mayNot: string | undefined, again: () => Promise<void>): Column<Delivery>[] {
  const change = useChange()
  return useMemo(() => {
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
}
