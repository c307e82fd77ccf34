// `merlon seal`: creates, lists, changes and downloads the seals of assets.

import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { download, request } from '../client.ts'
import { writing } from '../files.ts'
import { findAsset, findCompany } from '../find.ts'
import { type OutputOptions, printOne, printRows, say } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'
import { moment, oneOf } from '../values.ts'

const backgrounds = ['LIGHT', 'DARK', 'TRANSPARENT'] as const

type Seal = {
  id: string
  assetId: string
  background: string
  enabled: boolean
  svgUrl: string
  publicId: string
  expiresAt: string | null
}
type Options = OutputOptions & {
  company?: string
  asset?: string
  background?: string
  domain?: string
  expires?: string
  enable?: boolean
  disable?: boolean
}

const FIELDS = 'id assetId background domain enabled publicId svgUrl expiresAt'

export function seal(group: Command): void {
  group
    .command('create')
    .description('create a seal for an asset')
    .option('--company <id or label>')
    .option('--asset <id or name>')
    .option('--background <name>', backgrounds.join(', '), oneOf('--background', backgrounds))
    .option('--domain <name>')
    .option('--expires <time>', 'when the seal expires, ISO 8601', moment)
    .option('--json')
    .action(create)

  group
    .command('update <id>')
    .description('change the appearance of a seal, enable or disable it')
    .option('--background <name>', backgrounds.join(', '), oneOf('--background', backgrounds))
    .option('--domain <name>')
    .addOption(new Option('--enable').conflicts('disable'))
    .option('--disable')
    .option('--json')
    .action(update)

  group
    .command('list')
    .description('list the seals of a company')
    .option('--company <id or label>')
    .option('--json')
    .action(list)

  group
    .command('fetch <public-id> <file>')
    .description('download the picture of a seal to a new file')
    .action(fetchPicture)
}

async function create(options: Options): Promise<void> {
  const assetId = await findAsset(await findCompany(options.company), options.asset)
  const input = {
    assetId,
    background: options.background,
    domain: options.domain,
    expiresAt: options.expires,
  }
  const { createSeal } = await request(
    `mutation ($input: CreateSealInput!) { createSeal(input: $input) { seal { ${FIELDS} } } }`,
    { input },
  )
  printOne(`Seal ${createSeal.seal.id}: ${createSeal.seal.svgUrl}`, createSeal.seal, options)
}

async function update(id: string, options: Options): Promise<void> {
  const enabled = options.enable ? true : options.disable ? false : undefined
  const input = { id, background: options.background, domain: options.domain, enabled }
  const { updateSeal } = await request(
    `mutation ($input: UpdateSealInput!) { updateSeal(input: $input) { seal { ${FIELDS} } } }`,
    { input },
  )
  printOne(
    `Seal ${id} is ${updateSeal.seal.enabled ? 'enabled' : 'disabled'}, ${updateSeal.seal.background}`,
    updateSeal.seal,
    options,
  )
}

async function list(options: Options): Promise<void> {
  const seals = await listAll<Seal>(
    'seals',
    `query ($companyId: ID!, $after: String) {
      seals(companyId: $companyId, pagination: { perPage: 1000, after: $after }) { collection { ${FIELDS} } ${PAGE_METADATA} } }`,
    { companyId: await findCompany(options.company) },
  )
  printRows(
    seals,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'ASSET', of: ({ assetId }) => assetId },
      { title: 'BACKGROUND', of: ({ background }) => background },
      { title: 'ENABLED', of: ({ enabled }) => enabled },
      { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
      { title: 'ADDRESS', of: ({ svgUrl }) => svgUrl },
    ],
    options,
  )
}

async function fetchPicture(publicId: string, file: string): Promise<void> {
  const response = await download(`/seals/${encodeURIComponent(publicId)}.svg`)
  const picture = Buffer.from(await response.arrayBuffer())
  await writing(file, writeFile(file, picture, { flag: 'wx' }))
  say(`The seal was written to ${file}`)
}
