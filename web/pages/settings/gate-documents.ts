// The queries and mutations of the gate, for a company or for one asset.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const AssetGate = graphql(`
  query AssetGate($companyId: ID!, $assetId: ID!) {
    gatePolicy(companyId: $companyId, assetId: $assetId) {
      scope
      updatedAt
      updatedBy { name }
      rules { name subject severities types olderThanDays despiteReports limit decision sentence }
    }
    ofCompany: gatePolicy(companyId: $companyId) {
      scope
      rules { decision name sentence }
    }
  }
`)

export type GatePolicy = ResultOf<typeof AssetGate>['gatePolicy']
export type GateRule = GatePolicy['rules'][number]

export const SetGate = graphql(`
  mutation SetGate($input: SetGatePolicyInput!) {
    setGatePolicy(input: $input) { clientMutationId }
  }
`)

export const DeleteGate = graphql(`
  mutation DeleteGate($input: DeleteGatePolicyInput!) {
    deleteGatePolicy(input: $input) { gatePolicy { scope } }
  }
`)

export const DeployReview = graphql(`
  query DeployReview($companyId: ID!) {
    deployReviewSettings(companyId: $companyId) { assetId isOn }
  }
`)

export const SetDeployReview = graphql(`
  mutation SetDeployReview($input: SetDeployReviewInput!) {
    setDeployReview(input: $input) { deployReviewSettings { assetId isOn } }
  }
`)
