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
  FILE: 'by a file that it shows',
  DNS: 'by its name server',
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
        {target.host} may be scanned
        {target.verifiedBy && target.verifiedAt ? (
          <>
            , confirmed {proofs[target.verifiedBy]} <Moment at={target.verifiedAt} />
          </>
        ) : (
          ', as the operator allows'
        )}
        .
      </p>
    )
  }
  const done = async (word: string) => {
    say(`${target.host} may be scanned ${word}.`)
    await again()
  }
  return (
    <section className={styles.target} aria-label="Whose the target is">
      <p>
        {target.host} is not known to be yours. Put this on a line of <code>{target.filePath}</code> there, or in a TXT
        record of <code>{target.dnsName}</code>:
      </p>
      <CopyText text={target.token} what="the token" />
      <div className="row">
        <Form
          submit="Look for it"
          disabledReason={mayNot}
          action={async () => {
            await change(VerifyTarget, { input: { assetId } })
            done('now')
          }}
        >
          {null}
        </Form>
        {session?.isAdministrator && (
          <Form
            submit="Allow it as an administrator"
            isQuiet
            action={async () => {
              await change(AllowTarget, { input: { assetId } })
              done('by your word')
            }}
          >
            {null}
          </Form>
        )}
      </div>
    </section>
  )
}
