// Ignores of code and configuration findings in ScannerB: an organisation-wide policy for one finding, whichever project shows it.

import { text, textAt, at as valueAt } from '../../reports/values.ts'
import type { CallOptions } from '../http-request.ts'
import { at } from '../paths.ts'
import type { ExternalRef, ScannerDecision, WrittenBack } from '../scanner.ts'
import type { Session } from '../session.ts'
import { walkList } from './paging.ts'
import { type ProjectId, readProjectId } from './projects.ts'
import { issuesSchema, policiesSchema } from './schemas.ts'

/** The version in which policies were moved last, and since which issues tell what policies name them by. */
const VERSION = '2026-03-25'
const versioned = { query: { version: VERSION } }

/** What a policy names a finding by. */
const FIELD = 'snyk/asset/finding/v1'

const LONGEST_REASON = 10_000

/**
 * Ignores the finding, or no longer. One that is ignored already has its policy changed: there is one for a finding, also where the
 * answer to its making was lost.
 */
export async function writePolicy(
  session: Session,
  finding: ExternalRef,
  decision: ScannerDecision,
): Promise<WrittenBack> {
  const id = readProjectId(finding.projectId)
  const name = await findName(session, id, finding)
  if (name === null) {
    return { kind: 'UNSUPPORTED', reason: 'ScannerB does not tell by what the finding could be ignored' }
  }
  const known = await findPolicies(session, id, name)
  const { client } = session
  const { org } = id
  if (decision.status === 'IDENTIFIED') {
    for (const policy of known) await client.answer('DELETE', at`/orgs/${org}/policies/${policy}`, null, gone)
    return { kind: 'SENT', request: `DELETE ${known.length} policies of ${name}` }
  }
  const action = { data: { reason: decision.reason.slice(0, LONGEST_REASON).toWellFormed(), ...typeOf(decision) } }
  const [policy] = known
  const as = action.data.ignore_type
  if (policy !== undefined) {
    const data = { type: 'policy', id: policy, attributes: { action } }
    await client.patch(at`/orgs/${org}/policies/${policy}`, null, null, sent(data))
    return { kind: 'SENT', request: `PATCH policy of ${name} as ${as}` }
  }
  const conditions = [{ field: FIELD, operator: 'includes', value: name }]
  const attributes = {
    name: `Merlon: ${name}`,
    action_type: 'ignore',
    action,
    conditions_group: { logical_operator: 'and', conditions },
  }
  await client.post(at`/orgs/${org}/policies`, null, null, sent({ type: 'policy', attributes }))
  return { kind: 'SENT', request: `POST policy of ${name} as ${as}` }
}

const gone: CallOptions = { ...versioned, also: [404] }

const sent = (data: object): CallOptions => ({
  ...versioned,
  body: { text: JSON.stringify({ data }), type: 'application/vnd.api+json' },
})

/** An issue is found by its key alone, of which there is no search; null where it is gone, or has no name for policies. */
async function findName(session: Session, { org, project }: ProjectId, finding: ExternalRef): Promise<string | null> {
  const key = finding.key.slice(finding.projectId.length + 1)
  const query = { 'scan_item.id': project, 'scan_item.type': 'project', version: VERSION }
  for await (const { data } of walkList(session, at`/orgs/${org}/issues`, issuesSchema, query)) {
    const issue = data.find((each) => textAt(each, 'attributes', 'key') === text(key, 2048))
    if (issue !== undefined) return text(valueAt(issue, 'attributes', 'key_asset'), 100) ?? null
  }
  return null
}

async function findPolicies(session: Session, { org }: ProjectId, name: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { data } of walkList(session, at`/orgs/${org}/policies`, policiesSchema, { version: VERSION })) {
    ids.push(...data.flatMap(({ id, names }) => (names.includes(name) ? [id] : [])))
  }
  return ids
}

function typeOf({ status, expiresAt }: ScannerDecision) {
  if (status === 'FALSE_POSITIVE') return { ignore_type: 'not-vulnerable' }
  return expiresAt === null ? { ignore_type: 'wont-fix' } : { ignore_type: 'temporary-ignore', expires: expiresAt }
}
