// Shared by the tests of seals: creating and deleting one, and what anybody sees at its addresses.

import { type Data, run } from './client.ts'
import { serviceUrl } from './service.ts'
import { newAsset, type World } from './world.ts'

export const CREATE = `mutation ($input: CreateSealInput!) { createSeal(input: $input) { seal { id publicId assetId background } } }`
export const DELETE = 'mutation ($input: DeleteSealInput!) { deleteSeal(input: $input) { id } }'

type NewSeal = { id: string; publicId: string; assetId: string }

export const newSeal = async (
  { companyId, owner }: World,
  fields: Record<string, unknown> = {},
  asset: Record<string, unknown> = {},
): Promise<NewSeal> => {
  const { id: assetId } = await newAsset(owner.key, companyId, asset)
  return (await run(owner.key, CREATE, { input: { assetId, ...fields } })).createSeal.seal
}

export const get = async (path: string, accept = '*/*') => {
  const response = await fetch(`${await serviceUrl()}${path}`, { headers: { accept } })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

export const badge = async ({ publicId }: { publicId: string }) => (await get(`/seals/${publicId}.svg`)).body
export const verification = async ({ publicId }: { publicId: string }, query = ''): Promise<Data> =>
  JSON.parse((await get(`/seals/${publicId}${query}`, 'application/json')).body)
