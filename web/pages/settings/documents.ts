// The query of a company's gate and SLA rules.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Policies = graphql(`
  query Policies($companyId: ID!) {
    gatePolicy(companyId: $companyId) {
      scope
      updatedAt
      updatedBy { name }
      rules { name subject severities types olderThanDays despiteReports limit decision sentence }
    }
    slaPolicy(companyId: $companyId) { rules { severity businessImpact days isDefault } }
  }
`)

export type PoliciesAnswer = ResultOf<typeof Policies>
