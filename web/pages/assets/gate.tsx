// The gate of one asset: the rules in force, and the company's rules that they replace.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { to } from '../../util/path-builder.ts'
import { Gate, Rules } from '../settings/gate.tsx'
import { AssetGate } from '../settings/gate-documents.ts'
import { Review } from '../settings/review.tsx'
import styles from '../settings/settings.module.css'

export function GateOfAsset({ assetId }: { assetId: string }) {
  const companyId = useCompanyId()
  const answer = useAsk(AssetGate, { companyId, assetId }, { affectedBy: ['GatePolicy'] })
  return (
    <Answered of={answer} lines={5}>
      {({ gatePolicy, ofCompany }) => (
        <div className={styles.policies}>
          <Gate
            policy={gatePolicy}
            of={{ companyId, assetId }}
            without={ofCompany.scope === 'COMPANY' ? 'COMPANY' : 'BUILT_IN'}
            again={answer.again}
          />
          <Review companyId={companyId} assetId={assetId} />
          {gatePolicy.scope === 'ASSET' && (
            <section className="stack">
              <h2>What would hold without it</h2>
              <p className="muted">
                {ofCompany.scope === 'COMPANY' ? 'The rules of the company' : 'The built-in rules'}, which are in{' '}
                <Link to={to.policies({ companyId })}>Policies</Link>.
              </p>
              <Rules of={ofCompany.rules} label="Rules that would hold without it" />
            </section>
          )}
        </div>
      )}
    </Answered>
  )
}
