// The dynamic scanner of an asset: proof of who owns the target, its configuration, and the buttons that start and cancel a scan.

import { useNavigate } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { to } from '../../util/path-builder.ts'
import { ConfigurationForm } from './configuration.tsx'
import { Configuration, DeleteConfiguration, StartScan } from './documents.ts'
import styles from './scans.module.css'
import { TargetProof } from './target.tsx'

export function Scanner({ assetId }: { assetId: string }) {
  const answer = useAsk(Configuration, { assetId }, { affectedBy: ['ScannerConfiguration'] })
  return (
    <Answered of={answer}>
      {(found) => (
        <div className={styles.configuration}>
          {found.scannerConfiguration?.target && (
            <TargetProof assetId={assetId} target={found.scannerConfiguration.target} again={answer.again} />
          )}
          <Start assetId={assetId} hasTarget={Boolean(found.scannerConfiguration?.targetUrl)} />
          <ConfigurationForm
            key={found.scannerConfiguration?.updatedAt}
            assetId={assetId}
            known={found.scannerConfiguration}
          />
          {found.scannerConfiguration && <Forget assetId={assetId} again={answer.again} />}
        </div>
      )}
    </Answered>
  )
}

function Forget({ assetId, again }: { assetId: string; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  return (
    <div>
      <DeleteButton
        what="scanner configuration"
        label="Delete scanner configuration…"
        description="Scheduled and manual scans stop until the scanner is configured again. Past scans, findings and secrets stay."
        disabledReason={whyNot(session, companyId, 'scans:configure')}
        action={async () => {
          await change(DeleteConfiguration, { input: { assetId } }, ['ScannerConfiguration'])
          say('Scanner configuration deleted.')
          await again()
        }}
      />
    </div>
  )
}

function Start({ assetId, hasTarget }: { assetId: string; hasTarget: boolean }) {
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const { session } = useSession()
  const change = useChange()
  const mayNot = whyNot(session, companyId, 'scans:write')
  return (
    <div className={styles.start}>
      <Form
        submit="Start a scan"
        disabledReason={mayNot ?? (hasTarget ? undefined : 'Set the target URL first.')}
        action={async () => {
          await change(StartScan, { input: { assetId } }, ['ControlSyncStatus'])
          say('Scan started.')
          navigate(to.scans({ companyId }))
        }}
      >
        {null}
      </Form>
    </div>
  )
}
