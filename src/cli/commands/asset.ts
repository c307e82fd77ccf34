// `merlon asset`: creates, lists and deletes the assets of a company.

import type { Command } from 'commander'
import { request } from '../client.ts'
import { requireConsent } from '../consent.ts'
import { findAsset, findCompany } from '../find.ts'
import { type OutputOptions, printOne, printRows } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'

type Asset = { id: string; name: string; businessImpact: string; assetsTagList: string[]; updatedAt: string }
type Options = OutputOptions & { company?: string }

const FIELDS = 'id name businessImpact assetsTagList updatedAt'

export function asset(group: Command): void {
  group
    .command('create <name>')
    .description('create an asset')
    .option('--company <id or label>')
    .option('--tag <tag...>')
    .option('--description <text>')
    .option('--repository <address>')
    .option('--json')
    .action(create)

  group
    .command('list')
    .description('list the assets of a company')
    .option('--company <id or label>')
    .option('--search <text>', 'part of the name')
    .option('--json')
    .action(list)

  group
    .command('delete <asset>')
    .description('delete an asset with all its findings and deploys')
    .option('--company <id or label>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .option('--json')
    .action(remove)
}

async function create(
  name: string,
  options: Options & { tag?: string[]; description?: string; repository?: string },
): Promise<void> {
  const companyId = Number(await findCompany(options.company))
  const input = {
    companyId,
    name,
    assetsTagList: options.tag,
    description: options.description,
    repoUrl: options.repository,
  }
  const { createAsset } = await request(
    `mutation ($input: CreateAssetInput!) { createAsset(input: $input) { asset { ${FIELDS} } } }`,
    { input },
  )
  printOne(`Asset ${createAsset.asset.id}: ${name}`, createAsset.asset, options)
}

async function list(options: Options & { search?: string }): Promise<void> {
  const assets = await listAll<Asset>(
    'assets',
    `query ($companyId: ID!, $search: AssetsSearch, $after: String) {
      assets(companyId: $companyId, limit: 1000, search: $search, after: $after) { collection { ${FIELDS} } ${PAGE_METADATA} } }`,
    {
      companyId: await findCompany(options.company),
      search: options.search === undefined ? null : { name: options.search },
    },
  )
  printRows(
    assets,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'NAME', of: ({ name }) => name },
      { title: 'IMPACT', of: ({ businessImpact }) => businessImpact },
      { title: 'TAGS', of: ({ assetsTagList }) => assetsTagList.join(' ') },
      { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
    ],
    options,
  )
}

async function remove(named: string, options: Options & { yes?: boolean }): Promise<void> {
  const companyId = await findCompany(options.company)
  const id = await findAsset(companyId, named)
  if (!options.yes) await requireConsent(`Delete asset ${id} with all its findings and deploys?`)
  const { deleteAsset } = await request(
    'mutation ($id: ID!) { deleteAsset(input: { id: $id }) { asset { collection { id name } } } }',
    { id },
  )
  printOne(`Asset ${id} is deleted`, deleteAsset.asset, options)
}
