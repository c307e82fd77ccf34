// Whether the scanner may call the target, and what to do until it may.

import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Moment } from '../../ui/moment.tsx'
import { AllowTarget, type ConfigurationAnswer, VerifyTarget } from './documents.ts'
import styles from './scans.module.css'

type Target = NonNullable<NonNullable<ConfigurationAnswer['scannerConfiguration']>['target']>

const proofs = {
  FILE: 'by file',
  DNS: 'by DNS record',
  ADMINISTRATOR: 'by an administrator',
} as const

export function TargetProof({
  assetId,
  target,
  again,
}: {
  assetId: string
  target: Target
  again: () => Promise<void>
}) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const mayNot = whyNot(session, companyId, 'scans:configure')
  if (target.isAllowed) {
    return (
      <p className="muted">
        Scanning {target.host} is allowed
        {target.verifiedBy && target.verifiedAt ? (
          <>
            , verified {proofs[target.verifiedBy]} <Moment at={target.verifiedAt} />
          </>
        ) : (
          ' by the operator'
        )}
        .
      </p>
    )
  }
  const done = async (told: string) => {
    say(told)
    await again()
  }
  return (
    <section className={styles.target} aria-label="Target verification">
      <p>
        Verify that you own {target.host}: add this token as a line of <code>{target.filePath}</code> on it, or to a TXT
        record of <code>{target.dnsName}</code>.
      </p>
      <CopyText text={target.token} what="the token" />
      <div className="row">
        <Form
          submit="Verify"
          disabledReason={mayNot}
          action={async () => {
            await change(VerifyTarget, { input: { assetId } })
            done(`${target.host} verified.`)
          }}
        >
          {null}
        </Form>
        {session?.isAdministrator && (
          <Form
            submit="Allow as administrator"
            isQuiet
            action={async () => {
              await change(AllowTarget, { input: { assetId } })
              done(`Scanning ${target.host} allowed.`)
            }}
          >
            {null}
          </Form>
        )}
      </div>
    </section>
  )
}
