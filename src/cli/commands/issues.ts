// `merlon issues` and `merlon issue`: list findings by what the flags say, look at one, and decide about it.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { findAsset, findCompany } from '../find.ts'
import { type OutputOptions, printJson, printOne, printRows, say } from '../output.ts'
import { positive } from '../values.ts'

type Issue = {
  id: string
  title: string
  severity: string
  status: string
  type: string
  asset: { name: string }
  detail?: { fileName?: string; vulnerableLine?: number }
}

const CODE = 'fileName vulnerableLine'
const FIELDS = `id title severity status type asset { id name }
  ... on SastFinding { detail { ${CODE} } } ... on SecretFinding { detail { ${CODE} } } ... on IacFinding { detail { ${CODE} } }
  ... on SourceCodeVulnerability { detail { ${CODE} } }`

const LIST = `query ($companyId: ID!, $pagination: PaginationInput!, $filters: IssuesFiltersInput, $sort: [IssueSortOptionInput!]) {
  issues(companyId: $companyId, pagination: $pagination, filters: $filters, sortOptions: $sort) {
    collection { ${FIELDS} } metadata { totalCount totalCountIsExact } } }`

type Filters = OutputOptions & {
  company?: string
  asset?: string
  status?: string[]
  severity?: string[]
  type?: string[]
  branch?: string[]
  tool?: string[]
  search?: string
  limit: number
  sort?: string
}

const upper = (values: string[] | undefined) => values?.map((value) => value.toUpperCase())

export function issues(program: Command): void {
  program
    .command('issues')
    .description('list findings')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--status <status...>')
    .option('--severity <severity...>')
    .option('--type <type...>')
    .option('--branch <name...>')
    .option('--tool <name...>')
    .option('--search <text>')
    .option('--sort <field>', 'SEVERITY, CREATED_AT, UPDATED_AT, STATUS or TITLE; newest first unless said')
    .option('--limit <number>', 'most to show, 1000 at most', positive, 50)
    .option('--json')
    .action(list)

  const group = program.command('issue').description('one finding')

  group
    .command('show <id>')
    .option('--json')
    .action(async (id: string, options: OutputOptions) => {
      const { issue } = await request(`query ($id: ID!) { issue(id: $id) { ${FIELDS} description permittedStatus } }`, {
        id,
      })
      if (options.json) {
        printJson(issue)
        return
      }
      say(`${issue.id}  ${issue.severity}  ${issue.status}  ${issue.title}`)
      if (issue.detail?.fileName) say(`${issue.detail.fileName}:${issue.detail.vulnerableLine}`)
      say(issue.description)
      say(`It may become ${issue.permittedStatus.join(', ')}`)
    })

  group
    .command('status <id> <status>')
    .description('change the status of a finding')
    .option('--reason <text>')
    .option('--until <time>', 'how long a risk is accepted, ISO 8601')
    .option('--json')
    .action(async (id: string, status: string, options: OutputOptions & { reason?: string; until?: string }) => {
      const input = { id, status: status.toUpperCase(), reason: options.reason, riskAcceptedUntil: options.until }
      const { changeIssueStatus } = await request(
        'mutation ($input: ChangeIssueStatusInput!) { changeIssueStatus(input: $input) { issue { id title status } } }',
        { input },
      )
      const { issue } = changeIssueStatus
      printOne(`Issue ${issue.id} is ${issue.status}: ${issue.title}`, issue, options)
    })
}

async function list(options: Filters): Promise<void> {
  const companyId = await findCompany(options.company)
  const filters = {
    assetIds: options.asset === undefined ? undefined : [await findAsset(companyId, options.asset)],
    statuses: upper(options.status),
    severities: upper(options.severity),
    types: upper(options.type),
    branchNames: options.branch,
    toolNames: options.tool,
    search: options.search,
  }
  const pagination = { perPage: options.limit }
  const sort = options.sort ? [{ field: options.sort.toUpperCase(), order: 'DESC' }] : undefined
  const { issues: page } = await request(LIST, { companyId, pagination, filters, sort })
  const found: Issue[] = page.collection
  printRows(
    found,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'SEVERITY', of: ({ severity }) => severity },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'TITLE', of: ({ title }) => title },
      {
        title: 'PLACE',
        of: ({ detail }) => (detail?.fileName ? `${detail.fileName}:${detail.vulnerableLine ?? ''}` : ''),
      },
      { title: 'ASSET', of: ({ asset }) => asset.name },
    ],
    options,
  )
  const { totalCount, totalCountIsExact } = page.metadata
  if (!options.json && totalCount > found.length)
    say(`${found.length} of ${totalCountIsExact ? '' : 'more than '}${totalCount}`)
}
