// The policies of a company: the rules of its gate, and the deadlines for fixing findings.

import { useAsk } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Answered } from '../../ui/answered.tsx'
import { inSettings } from './crumbs.ts'
import { Policies } from './documents.ts'
import { Gate } from './gate.tsx'
import { Review } from './review.tsx'
import styles from './settings.module.css'
import { SlaTable } from './sla.tsx'

export function Component() {
  const companyId = useCompanyId()
  const answer = useAsk(Policies, { companyId }, { affectedBy: ['GatePolicy', 'SlaPolicy'] })
  return (
    <Page title="Policies" crumbs={inSettings(companyId)}>
      <Answered of={answer}>
        {({ gatePolicy, slaPolicy }) => (
          <div className={styles.policies}>
            <Gate policy={gatePolicy} of={{ companyId }} without="BUILT_IN" again={answer.again} />
            <Review companyId={companyId} />
            <SlaTable rules={slaPolicy.rules} again={answer.again} />
          </div>
        )}
      </Answered>
    </Page>
  )
}
