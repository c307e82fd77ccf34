// The kinds of tools with the connected ones of each, and how to connect more.

import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Rest } from '../../table/rest.tsx'
import type { List } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Connected, type Open } from './connected.tsx'
import type { Integration } from './documents.ts'
import styles from './integrations.module.css'
import { kindNames, kinds } from './kinds.ts'
import type { AllMapped } from './use-mapped.ts'

type Props = { list: List<Integration>; mapped: AllMapped; setOpen: (open: Open) => void }

/** What one has to do with stands above what one might connect. */
const connectedFirst = (rows: readonly Integration[]) => {
  const isConnected = (kind: string) => rows.some(({ integrationType }) => integrationType === kind)
  return [...kindNames].sort((one, other) => Number(isConnected(other)) - Number(isConnected(one)))
}

export function Tools({ list, mapped, setOpen }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'integrations:write')
  const { boards, lists } = mapped
  const failure = list.failure ?? boards.failure ?? lists.failure
  const again = () => void Promise.all([list.again(), mapped.again()])
  if (list.isWaiting || (list.rows.length > 0 && (boards.isWaiting || lists.isWaiting))) return <Awaited lines={6} />
  return (
    <>
      {failure && <Failed failure={failure} again={again} />}
      {list.total !== null && (
        <ul className={styles.tools}>
          {connectedFirst(list.rows).map((kind) => {
            const { name, what } = kinds[kind]
            const own = list.rows.filter(({ integrationType }) => integrationType === kind)
            return (
              <li key={kind} className={styles.tool}>
                <div className={styles.about}>
                  <h2>{name}</h2>
                  <p className="muted">{what}</p>
                </div>
                <div className={styles.own}>
                  {own.map((integration) => (
                    <Connected
                      key={integration.id}
                      integration={integration}
                      mapped={mapped.all.filter(({ integrationId }) => integrationId === integration.id)}
                      mayNot={mayNot}
                      setOpen={setOpen}
                      onTested={() => void list.again()}
                    />
                  ))}
                  {kind === 'BOARDS_TRACKER' && <Rest of={boards} what="mapped board" />}
                  {kind === 'TASK_TRACKER' && <Rest of={lists} what="mapped list" />}
                  <div>
                    {own.length === 0 && !list.hasMore ? (
                      <Button
                        aria-label={`Connect ${name}`}
                        disabledReason={mayNot}
                        onClick={() => setOpen({ what: 'connect', kind })}
                      >
                        Connect
                      </Button>
                    ) : (
                      <Button
                        size="small"
                        aria-label={`Add another ${name}`}
                        disabledReason={mayNot}
                        onClick={() => setOpen({ what: 'connect', kind, addAnother: true })}
                      >
                        Add another…
                      </Button>
                    )}
                  </div>
                </div>
              </li>
            )
          })}
        </ul>
      )}
      <Rest of={list} what="connected tool" />
    </>
  )
}
