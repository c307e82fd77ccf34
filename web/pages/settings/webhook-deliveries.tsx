// The deliveries to a webhook, newest first, with the answer to each and a button to send it again.

import type { EnumOf } from '../../api/graphql.ts'
import { Facet } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { someOf, useUrlState } from '../../util/url-state.ts'
import { wordsOf } from '../../util/words.ts'
import { useDeliveryColumns } from './delivery-columns.tsx'
import styles from './settings.module.css'
import { Deliveries, type Delivery } from './webhook-documents.ts'

const stateNames = ['PENDING', 'DELIVERED', 'GIVEN_UP'] as const satisfies readonly EnumOf<'WebhookDeliveryState'>[]

const shape = { state: someOf(stateNames) }

type Props = {
  companyId: string
  mayNot: string | undefined
  /** Creates the first webhook; undefined once there is one. */
  onFirst: (() => void) | undefined
}

export function WebhookDeliveries({ companyId, mayNot, onFirst }: Props) {
  const [{ state }, setState] = useUrlState(shape)
  const states = state.length === 0 ? undefined : [...state]
  const list = useList(Deliveries, { companyId, states }, ({ webhookDeliveries }) => webhookDeliveries)
  const columns = useDeliveryColumns(mayNot, list.again)
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
