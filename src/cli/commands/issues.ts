// `merlon issues`: lists the findings that match the flags.

import type { Command } from 'commander'
import { issueStatuses, issueTypes, severities } from '../../core/issue-words.ts'
import { findAsset, findCompany } from '../find.ts'
import { DETAILS, type Detail, placeOf } from '../issue-place.ts'
import { readSort, type Sort, sortFields } from '../issue-sort.ts'
import { type OutputOptions, printRows } from '../output.ts'
import { listFirst, sayHowMany } from '../pages.ts'
import { positive, someOf } from '../values.ts'

type Issue = {
  id: string
  title: string
  severity: string
  status: string
  type: string
  asset: { name: string }
  detail: Detail
}

/** Findings of one request. */
const PAGE = 200

const FIELDS = `id title severity status type asset { id name } ${DETAILS}`

const LIST = `query ($companyId: ID!, $limit: Int, $after: String, $filters: IssuesFiltersInput, $sort: [IssueSortOptionInput!]) {
  issues(companyId: $companyId, pagination: { perPage: $limit, after: $after }, filters: $filters, sortOptions: $sort) {
    collection { ${FIELDS} } metadata { limitValue totalCount totalCountIsExact endCursor } } }`

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
  sort?: Sort
}

export function issues(command: Command): void {
  command
    .option('--company <id or label>')
    .option('--asset <id or name>', 'only those of this asset')
    .option('--status <status...>', issueStatuses.join(', '), someOf('--status', issueStatuses))
    .option('--severity <severity...>', severities.join(', '), someOf('--severity', severities))
    .option('--type <type...>', issueTypes.join(', '), someOf('--type', issueTypes))
    .option('--branch <name...>')
    .option('--tool <name...>')
    .option('--search <text>')
    .option(
      '--sort <field>',
      `${Object.keys(sortFields).join(', ')}, with :asc or :desc (by default titles and due dates ascend, everything else descends); without --sort newest first`,
      readSort,
    )
    .option('--limit <number>', 'maximum number to list', positive, 50)
    .option('--json')
    .action(list)
}

async function list(options: Filters): Promise<void> {
  const companyId = await findCompany(options.company)
  const filters = {
    assetIds: options.asset === undefined ? undefined : [await findAsset(companyId, options.asset)],
    statuses: options.status,
    severities: options.severity,
    types: options.type,
    branchNames: options.branch,
    toolNames: options.tool,
    search: options.search,
  }
  const variables = { companyId, filters, sort: options.sort && [options.sort] }
  const listed = await listFirst<Issue>('issues', LIST, variables, options.limit, PAGE)
  printRows(
    listed.found,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'SEVERITY', of: ({ severity }) => severity },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'TITLE', of: ({ title }) => title },
      { title: 'PLACE', of: ({ detail }) => placeOf(detail) },
      { title: 'ASSET', of: ({ asset }) => asset.name },
    ],
    options,
  )
  if (!options.json) sayHowMany(listed)
}
