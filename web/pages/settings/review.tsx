// The setting whether new deploys are reviewed for secrets, risky code and packages, for a company or for one asset that overrides it.

import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Answered } from '../../ui/answered.tsx'
import { DeployReview, SetDeployReview } from './gate-documents.ts'
import styles from './settings.module.css'

/** Without `assetId` it is the company's setting, for all assets that do not override it. */
type Props = { companyId: string; assetId?: string }

export function Review({ companyId, assetId: of }: Props) {
  const assetId = of ?? null
  const answer = useAsk(DeployReview, { companyId }, { affectedBy: ['DeployReviewSetting'] })
  const { session } = useSession()
  const change = useChange()
  const { act, isRunning, failure } = useAct()
  /** The optimistic value, until the server has answered. */
  const [chosen, setChosen] = useState<boolean | null>()
  const mayNot = whyNot(session, companyId, 'gates:write')
  const set = async (isOn: boolean | null) => {
    setChosen(isOn)
    await act(async () => {
      await change(SetDeployReview, { input: { companyId, assetId, isOn } }, ['DeployReviewSetting'])
      await answer.again()
    })
    setChosen(undefined)
  }
  return (
    <Answered of={answer} lines={2}>
      {({ deployReviewSettings }) => {
        const ofCompany = deployReviewSettings.find((setting) => setting.assetId === null)?.isOn ?? false
        const own = deployReviewSettings.find((setting) => setting.assetId === assetId)?.isOn ?? null
        const shown = chosen === undefined ? own : chosen
        return (
          <section className="stack">
            <header className={styles.head}>
              <h2>Deploy review</h2>
              <span className="muted">
                Checks new deploys for secrets, risky code and packages; findings count toward the gate.
              </span>
            </header>
            <div className="row">
              <select
                aria-label="Deploy review"
                value={shown === null ? '' : `${shown}`}
                disabled={mayNot !== undefined || isRunning}
                title={mayNot}
                onChange={({ target: { value } }) => void set(value === '' ? null : value === 'true')}
              >
                {assetId !== null && <option value="">Company default: {ofCompany ? 'on' : 'off'}</option>}
                <option value="true">On</option>
                <option value="false">Off</option>
              </select>
              {failure && (
                <span role="alert" className={styles.refused}>
                  {failure.message}
                </span>
              )}
            </div>
          </section>
        )
      }}
    </Answered>
  )
}
