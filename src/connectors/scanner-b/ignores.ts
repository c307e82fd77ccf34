// Ignores in ScannerB, read and written through its older API, the only one that has their reasons.

import { objects, textAt } from '../../reports/values.ts'
import type { VendorClient } from '../client.ts'
import { VendorRefused } from '../errors.ts'
import type { Settings } from '../kinds.ts'
import { at } from '../paths.ts'
import type { ExternalRef, ScannerDecision, WrittenBack } from '../scanner.ts'
import type { Session } from '../session.ts'
import { originOf } from './address.ts'
import { type Ignored, isVulnerability } from './findings.ts'
import { writePolicy } from './policies.ts'
import { type ProjectId, readProjectId } from './projects.ts'
import { ignoresSchema } from './schemas.ts'

/** The older interface speaks plain JSON. */
const JSON_ALONE = { headers: { accept: 'application/json' } }

const older = ({ client, settings }: { client: VendorClient; settings: Settings }) =>
  client.sibling(`${originOf(settings)}/v1`)

const unsaid: Ignored = { status: 'SUPPRESSED', reason: 'Ignored in Snyk' }

/** Why each vulnerability of the project is ignored; nothing where the credential may not read it. */
export async function readIgnores(session: Session, { org, project }: ProjectId): Promise<Map<string, Ignored>> {
  const all = await older(session)
    .get(at`/org/${org}/project/${project}/ignores`, ignoresSchema, JSON_ALONE)
    .catch((error: unknown) => {
      if (error instanceof VendorRefused && (error.kind === 'PERMISSION' || error.kind === 'MISSING')) return {}
      throw error
    })
  return new Map(Object.entries(all).map(([id, rules]) => [id, meaning(rules)]))
}

/** The first rule counts: `[{ "*": { reason, reasonType } }]`. */
function meaning(rules: unknown): Ignored {
  const [rule] = objects(rules).flatMap((each) => Object.values(each))
  const reason = textAt(rule, 'reason')?.slice(0, 2000) ?? unsaid.reason
  const type = textAt(rule, 'reasonType')
  if (type === 'not-vulnerable') return { status: 'FALSE_POSITIVE', reason }
  return { status: type === 'wont-fix' || type === 'temporary-ignore' ? 'RISK_ACCEPTED' : 'SUPPRESSED', reason }
}

export const reasonOf = (ignores: ReadonlyMap<string, Ignored>, vulnerability: string | undefined): Ignored =>
  (vulnerability === undefined ? undefined : ignores.get(vulnerability)) ?? unsaid

/** Characters of a reason that are sent. */
const LONGEST_REASON = 1_000

/** Ignores a vulnerability in the whole project, or one finding of code, or no longer. The same again changes nothing. */
export async function writeBack(
  session: Session,
  finding: ExternalRef,
  decision: ScannerDecision,
): Promise<WrittenBack> {
  const { org, project } = readProjectId(finding.projectId)
  if (!finding.key.startsWith(`${finding.projectId}:`)) return { kind: 'OTHER' }
  const { ruleId, type } = finding
  if (type === 'SAST_FINDING' || type === 'IAC_FINDING') return writePolicy(session, finding, decision)
  const isComponent = type === 'SCA_FINDING' || type === 'CONTAINER_FINDING'
  if (!isComponent || ruleId === null || !isVulnerability(ruleId)) {
    return { kind: 'UNSUPPORTED', reason: 'ScannerB takes decisions of components, code and configurations alone' }
  }
  const client = older(session)
  const path = at`/org/${org}/project/${project}/ignore/${ruleId}`
  if (decision.status === 'IDENTIFIED') {
    await client.answer('DELETE', path, null, { ...JSON_ALONE, also: [404] })
    return { kind: 'SENT', request: `DELETE ignore of ${ruleId}` }
  }
  const ignore = {
    ignorePath: '*',
    reason: decision.reason.slice(0, LONGEST_REASON).toWellFormed(),
    ...typeOf(decision),
  }
  await client.post(path, ignore, null, { ...JSON_ALONE, repeatable: true })
  return { kind: 'SENT', request: `POST ignore of ${ruleId} as ${ignore.reasonType}` }
}

function typeOf({ status, expiresAt }: ScannerDecision) {
  if (status === 'FALSE_POSITIVE') return { reasonType: 'not-vulnerable' }
  return expiresAt === null ? { reasonType: 'wont-fix' } : { reasonType: 'temporary-ignore', expires: expiresAt }
}
