// Shared by the tests of gates: policies, and deploys with findings that they introduce.

import { run, unique } from './client.ts'
import { newHome, sast, upsert } from './findings.ts'
import { newDeploy } from './world.ts'

const POLICY =
  'gatePolicy { scope companyId asset { id } rules { name subject severities types olderThanDays despiteReports limit decision } updatedBy { email } }'

export const SET_POLICY = `mutation ($input: SetGatePolicyInput!) { setGatePolicy(input: $input) { clientMutationId ${POLICY} } }`
export const DELETE_POLICY = `mutation ($input: DeleteGatePolicyInput!) { deleteGatePolicy(input: $input) { ${POLICY} } }`

/** Sets the policy of the company, or of the asset if one is given. */
export const setPolicy = async (
  { key, companyId }: { key: string; companyId: string },
  rules: object[],
  assetId?: number | string,
) => (await run(key, SET_POLICY, { input: { companyId, assetId, rules } })).setGatePolicy.gatePolicy

const GATE = `gate { decision sentence policy { scope rules { name subject severities types olderThanDays despiteReports limit decision sentence } }
  reasons { rule decision limit count sentence issues { collection { id severity } metadata { totalCount } } } }`

export const gateOf = async (key: string, id: string) =>
  (await run(key, `query ($id: ID!) { deploy(id: $id) { ${GATE} } }`, { id })).deploy.gate

/** A deploy of main, and a function to report findings that it introduces, each with a rule of its own. */
export async function newDeployed() {
  const home = await newHome()
  const deploy = await newDeploy(home.key, String(home.assetId), '', { branchName: 'main' })
  const report = async (severity: string, extra: Record<string, unknown> = {}): Promise<string> => {
    const finding = sast(home.assetId, { severity, ruleId: unique('rule'), deployId: deploy.id, ...extra })
    return (await upsert(home.key, finding)).issue.id
  }
  return { ...home, deployId: deploy.id, report }
}
