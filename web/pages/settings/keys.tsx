// The API keys of the signed-in user: create one, see it once, rotate it, or revoke it.

import { useState } from 'react'
import { useAsk } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { DataTable } from '../../table/data-table.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { counted } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'
import { useColumns } from './key-columns.tsx'
import { KeyDialogs, type Open } from './key-dialogs.tsx'
import { Keys, standingOf } from './key-documents.ts'
import styles from './keys.module.css'

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const answer = useAsk(Keys, {}, { affectedBy: ['ApiKey'] })
  const [open, setOpen] = useState<Open | null>(null)
  const mayNot = whyNot(session, companyId, 'keys:write')
  const columns = useColumns(session?.keyPublicId, mayNot, setOpen)
  const valid = answer.data?.apiKeys.filter((key) => standingOf(key) === 'valid').length
  return (
    <Page
      title="API keys"
      crumbs={inSettings(companyId)}
      count={valid === undefined ? undefined : `${counted(valid, 'valid key')}`}
      actions={
        <Button tone="main" onClick={() => setOpen({ what: 'create' })} disabledReason={mayNot}>
          New API key
        </Button>
      }
    >
      <div className={styles.keys}>
        <Answered of={answer}>
          {({ apiKeys }) => (
            <DataTable
              label="API keys"
              rows={apiKeys}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
              total={apiKeys.length}
              isStale={answer.isStale && !answer.data}
              empty={
                <Empty title="No API keys yet">
                  <p>Create a key to connect pipelines and tools to the API.</p>
                </Empty>
              }
            />
          )}
        </Answered>
      </div>
      {open && <KeyDialogs open={open} setOpen={setOpen} scopes={session?.scopes ?? []} />}
    </Page>
  )
}
