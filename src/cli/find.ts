// Finds the company or asset that a flag names, by its id or by its name.

import { shorten } from './output.ts'
import { listAll, PAGE_METADATA } from './pages.ts'
import { WrongUse } from './wrong-use.ts'

type Named = { id: string; name: string }

/** The most records that are named when one has to be chosen. */
const MOST_NAMED = 10

const isId = (text: string) => /^\d+$/.test(text)

/** The id of the named company or, without a name, of the only one that the key can see. */
export async function findCompany(named: string | undefined): Promise<string> {
  if (named !== undefined && isId(named)) return named
  const companies = await listAll<Named>(
    'companies',
    `query ($params: CompanySearch, $after: String) {
      companies(limit: 1000, params: $params, after: $after) { collection { id name: label } ${PAGE_METADATA} } }`,
    { params: named === undefined ? null : { labelCont: named } },
  )
  return only(companies, named, 'company', '--company')
}

/** The id of the named asset of the company or, without a name, of its only asset. */
export async function findAsset(companyId: string, named: string | undefined): Promise<string> {
  const byId = named !== undefined && isId(named)
  const assets = await listAll<Named>(
    'assets',
    `query ($companyId: ID!, $search: AssetsSearch, $after: String) {
      assets(companyId: $companyId, limit: 1000, search: $search, after: $after) { collection { id name } ${PAGE_METADATA} } }`,
    { companyId, search: named === undefined ? null : byId ? { ids: [named] } : { name: named } },
  )
  if (!byId) return only(assets, named, 'asset', '--asset')
  if (assets.length === 0) throw new WrongUse(`There is no asset ${named}`)
  return named
}

function only(listed: readonly Named[], named: string | undefined, what: string, flag: string): string {
  const called = named === undefined ? '' : ` called ${named}`
  const meant = named === undefined ? listed : listed.filter(({ name }) => name === named)
  const [first, ...others] = meant
  if (!first) {
    const none = `This key can see no ${what}: create one with merlon ${what} create, or use a key that can see one`
    throw new WrongUse(called === '' ? none : `There is no ${what}${called}`)
  }
  if (others.length > 0) {
    const those = meant.slice(0, MOST_NAMED).map(({ id, name }) => `${id} (${shorten(name)})`)
    const more = meant.length > MOST_NAMED ? ` and ${meant.length - MOST_NAMED} more` : ''
    throw new WrongUse(
      `There is more than one ${what}${called}: say which with ${flag} and its id: ${those.join(', ')}${more}`,
    )
  }
  return first.id
}
