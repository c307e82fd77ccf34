// The writes of the trials: each has a mark by which its rows can be found, whatever the answer was.

import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Access, type Asked, type Data, run, unique } from './client.ts'

/** The target of the writes: one company with one asset. */
export type Home = { access: Access; companyId: string; assetId: string }

export type Write = {
  kind: 'company' | 'asset' | 'finding' | 'batch' | 'status' | 'deploy' | 'attachment' | 'ticket' | 'import'
  mark: string
  asked: Asked
  /** how many rows have the mark once it is done */
  rows: number
  /** the hash of the uploaded file, in hexadecimal */
  sha256?: string
}

export async function newHome(access: Access): Promise<Home> {
  const company = await run(
    access,
    'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
    { label: unique('Home') },
  )
  const companyId: string = company.createCompany.company.id
  const asset = await run(
    access,
    'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }',
    { input: { companyId: Number(companyId), name: unique('Asset') } },
  )
  return { access, companyId, assetId: asset.createAsset.asset.id }
}

/** Has a unique rule and path, so that it cannot be merged with another report. */
const finding = (assetId: string, title: string) => ({
  assetId: Number(assetId),
  title,
  description: 'What is wrong',
  ruleId: title,
  toolName: 'a tool',
  codeSnippet: `eval(${title})`,
  fileName: `src/${title}.ts`,
  vulnerableLine: 3,
  firstLine: 1,
})

const writes: Record<Exclude<Write['kind'], 'status'>, (home: Home) => Omit<Write, 'kind'>> = {
  company: () => {
    const mark = unique('company')
    const query = 'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }'
    return { mark, rows: 1, asked: { query, variables: { label: mark } } }
  },
  asset: ({ companyId }) => {
    const mark = unique('asset')
    const query = 'mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { id } } }'
    return { mark, rows: 1, asked: { query, variables: { input: { companyId: Number(companyId), name: mark } } } }
  },
  finding: ({ assetId }) => {
    const mark = unique('finding')
    const query = `mutation ($input: CreateOrUpdateSastFindingInput!) {
      createOrUpdateSastFinding(input: $input) { issue { id } } }`
    return { mark, rows: 1, asked: { query, variables: { input: finding(assetId, mark) } } }
  },
  batch: ({ assetId }) => {
    const mark = unique('batch')
    const findings = Array.from({ length: 20 }, (_, index) => ({ sastFinding: finding(assetId, `${mark} ${index}`) }))
    const query = `mutation ($input: BatchCreateOrUpdateFindingsInput!) {
      batchCreateOrUpdateFindings(input: $input) { issues { id } } }`
    return { mark, rows: findings.length, asked: { query, variables: { input: { findings } } } }
  },
  deploy: ({ assetId }) => {
    const mark = randomBytes(20).toString('hex')
    const files = randomInt(1, 12)
    const query = 'mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id } } }'
    const input = { assetId, previousCommit: 'a'.repeat(40), currentCommit: mark, diffContent: null }
    const bytes = Buffer.from(Array.from({ length: files }, (_, index) => diffOf(`${mark}/${index}.ts`)).join(''))
    const file = { path: 'input.diffContent', bytes, filename: `${mark}.diff` }
    return { mark, rows: files, asked: { query, variables: { input }, file }, sha256: hash(bytes) }
  },
  attachment: ({ companyId }) => {
    const mark = unique('attachment')
    const query = 'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }'
    const bytes = randomBytes(randomInt(1, 300_000))
    const file = { path: 'input.archive', bytes, filename: mark }
    const asked = { query, variables: { input: { companyId, archive: null } }, file }
    return { mark, rows: 1, asked, sha256: hash(bytes) }
  },
  ticket: ({ companyId }) => {
    const mark = unique('ticket')
    const query = 'mutation ($input: CreateTicketInput!) { createTicket(input: $input) { ticket { id } } }'
    return {
      mark,
      rows: 1,
      asked: { query, variables: { input: { companyId, title: mark, description: 'Words', type: 'BUG' } } },
    }
  },
  import: ({ companyId, assetId }) => {
    const mark = unique('import')
    const query = 'mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import { id } } }'
    const bytes = reportOf(mark, randomInt(3) === 0 ? AT_ONCE_BYTES + 1 : 0)
    const file = { path: 'input.file', bytes, filename: mark }
    return { mark, rows: 1, asked: { query, variables: { input: { companyId, assetId, file: null } }, file } }
  },
}

/** The number of findings in each imported report. */
export const FINDINGS_OF_REPORT = 50
/** The size in bytes, and the number of findings, above which a report is imported by a job. */
export const AT_ONCE_BYTES = 4 * 1024 * 1024
export const AT_ONCE_ROWS = 2000

/** A SARIF report of findings that no other report has, padded with white space to the size. */
function reportOf(mark: string, size: number): Buffer {
  const results = Array.from({ length: FINDINGS_OF_REPORT }, (_, index) => ({
    ruleId: `${mark} ${index}`,
    message: { text: `${mark} ${index}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/${mark.replace(' ', '-')}/${index}.ts` },
          region: { startLine: 3, snippet: { text: `eval(${index})` } },
        },
      },
    ],
  }))
  const report = { version: '2.1.0', runs: [{ tool: { driver: { name: 'a tool' } }, results }] }
  const text = Buffer.from(JSON.stringify(report))
  return Buffer.concat([text, Buffer.alloc(Math.max(0, size - text.length), ' ')])
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const diffOf = (path: string) =>
  [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1,2 +1,2 @@',
    ' one',
    '-two',
    '+three',
    '',
  ].join('\n')

const kinds = Object.keys(writes) as (keyof typeof writes)[]

/** A random write, with each kind equally likely. `issues` are findings whose status nobody has changed yet. */
export function newWrite(home: Home, issues: string[]): Write {
  const kind = kinds[randomInt(kinds.length + 1)]
  if (kind) return { kind, ...writes[kind](home) }
  const mark = issues.shift()
  return mark === undefined ? { kind: 'ticket', ...writes.ticket(home) } : statusOf(mark)
}

function statusOf(issueId: string): Write {
  const query = 'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id } } }'
  const input = { id: issueId, status: 'FALSE_POSITIVE', reason: `Decided for ${issueId}` }
  return { kind: 'status', mark: issueId, rows: 1, asked: { query, variables: { input } } }
}

/** The id of the finding in an answer, for a later change of its status. */
export const issueOf = (data: Data): string | undefined => data?.createOrUpdateSastFinding?.issue?.id
