// The facet that narrows a list to some of the company's assets.

import { useAsk } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { Facet } from './filters.tsx'

const FilterAssets = graphql(`
  query FilterAssets($companyId: ID!) {
    assets(companyId: $companyId, limit: 200, search: { sortBy: name }) {
      collection { id name }
    }
  }
`)

type Props = { companyId: string; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

/** The assets of a company by name, as many as one page has. */
export function useAssets(companyId: string): readonly { id: string; name: string }[] {
  const { data } = useAsk(FilterAssets, { companyId }, { affectedBy: ['Asset'] })
  return data?.assets.collection ?? []
}

export function AssetFacet({ companyId, chosen, onChange }: Props) {
  const assets = useAssets(companyId)
  const nameOf = (id: string) => assets.find((asset) => asset.id === id)?.name ?? `Asset ${id}`
  const options = [...new Set([...chosen, ...assets.map(({ id }) => id)])]
  return <Facet name="Asset" options={options} chosen={chosen} onChange={onChange} show={nameOf} wordOf={nameOf} />
}
