// Finds the company, asset or project that a flag names, by id or by name.

import { request, type Selection, WrongUse } from './client.ts'

const isId = (text: string) => /^\d+$/.test(text)

/** The id of the company that is named; without a name, of the only one that the key sees. */
export async function findCompany(named: string | undefined): Promise<string> {
  const params = named === undefined || isId(named) ? null : { labelCont: named }
  const { companies } = await request(
    'query ($params: CompanySearch) { companies(limit: 100, params: $params) { collection { id label } } }',
    { params },
  )
  const found: { id: string; label: string }[] = companies.collection
  if (named === undefined) return only(found, 'company', '--company')
  const match = found.find(({ id, label }) => id === named || label === named)
  if (match) return match.id
  if (isId(named)) return named
  throw new WrongUse(`There is no company called ${named}`)
}

/** The id of the asset that is named; without a name, of the only one of the company. */
export async function findAsset(companyId: string, named: string | undefined): Promise<string> {
  if (named !== undefined && isId(named)) return named
  const { assets } = await request(
    'query ($companyId: ID!, $search: AssetsSearch) { assets(companyId: $companyId, limit: 100, search: $search) { collection { id name } } }',
    { companyId, search: named === undefined ? null : { name: named } },
  )
  const found: { id: string; name: string }[] = assets.collection
  if (named === undefined) return only(found, 'asset', '--asset')
  const match = found.find(({ name }) => name === named)
  if (!match) throw new WrongUse(`There is no asset called ${named}`)
  return match.id
}

function only(found: Selection[], what: string, flag: string): string {
  const [first, ...others] = found
  if (first && others.length === 0) return first.id
  throw new WrongUse(
    found.length === 0 ? `There is no ${what} yet` : `There is more than one ${what}: say which with ${flag}`,
  )
}
