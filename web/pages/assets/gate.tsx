// The gate of one asset: the rules in force, and the company's rules that they replace.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { to } from '../../util/path-builder.ts'
import { Gate } from '../settings/gate.tsx'
import { AssetGate } from '../settings/gate-documents.ts'
import { Rules } from '../settings/gate-rules.tsx'
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
              <h2>Rules it replaces</h2>
              <p className="muted">
                Without its own rules, the asset would use{' '}
                {ofCompany.scope === 'COMPANY' ? 'the company’s rules' : 'the built-in rules'} from{' '}
                <Link to={to.policies({ companyId })}>Policies</Link>.
              </p>
              <Rules of={ofCompany.rules} label="Rules it replaces" />
            </section>
          )}
        </div>
      )}
    </Answered>
  )
}
