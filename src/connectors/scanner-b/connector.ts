// ScannerB: Snyk, whose issues are listed by project, and whose ignores are read and written.

import type { Row } from '../../reports/types.ts'
import { objects, textAt, at as valueAt } from '../../reports/values.ts'
import { VendorRefused } from '../errors.ts'
import { at } from '../paths.ts'
import { rateTable } from '../rates.ts'
import type { PullAsked } from '../scanner.ts'
import type { Session } from '../session.ts'
import type { Connector } from '../types.ts'
import { originOf } from './address.ts'
import { type Ignored, issueRow } from './findings.ts'
import { readIgnores, reasonOf, writeBack } from './ignores.ts'
import { VERSION, walkList } from './paging.ts'
import { listProjects, readProject, readProjectId } from './projects.ts'
import { issuesSchema, selfSchema } from './schemas.ts'

export const scannerB: Connector = {
  type: 'SCANNER_B',
  name: 'ScannerB',
  base: (settings) => `${originOf(settings)}/rest`,
  rates: rateTable.SCANNER_B,
  authorization(credential) {
    if (credential.kind !== 'TOKEN') throw new VendorRefused('ScannerB', 'CREDENTIAL')
    return { authorization: `token ${credential.token}` }
  },
  headers: { accept: 'application/vnd.api+json' },
  readError: (body) => textAt(objects(valueAt(body, 'errors'))[0], 'detail') ?? textAt(body, 'message') ?? null,
  oauth: null,
  check: async ({ client }) => void (await client.get(at`/self`, selfSchema, { query: { version: VERSION } })),
  scanner: { listProjects, requireProjectId: readProjectId, pull, writeBack },
}

/** A pull of all asks for what is open, ignored or not: what it does not have was resolved, or is gone. */
async function* pull(session: Session, { projectId, since }: PullAsked): AsyncGenerator<Row> {
  const id = readProjectId(projectId)
  const project = await readProject(session, id)
  yield { kind: 'SCOPE', scope: projectId }
  const query = {
    'scan_item.id': id.project,
    'scan_item.type': 'project',
    status: since === null ? 'open' : 'open,resolved',
    updated_after: since,
  }
  // asked for once something is ignored
  let ignores: ReadonlyMap<string, Ignored> | null = null
  let count = 0
  for await (const { data } of walkList(session, at`/orgs/${id.org}/issues`, issuesSchema, query)) {
    if (ignores === null && data.some((issue) => valueAt(issue, 'attributes', 'ignored') === true)) {
      ignores = await readIgnores(session, id)
    }
    const known = ignores ?? new Map<string, Ignored>()
    for (const issue of data) {
      count += 1
      const place = `issue ${count} ${textAt(issue, 'id') ?? ''}`.trim()
      yield issueRow(issue, place, { projectId, project, ignored: (own) => reasonOf(known, own) })
    }
  }
}
