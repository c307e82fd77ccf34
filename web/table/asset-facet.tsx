// The facet that narrows a list to some of the company's assets.

import { useFindAssets, useNamedAssets } from '../choices/assets.ts'
import { LateChoice } from '../ui/late-choice.tsx'
import { FacetButton } from './filters.tsx'

type Props = { companyId: string; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

export function AssetFacet({ companyId, chosen, onChange }: Props) {
  const find = useFindAssets(companyId)
  const named = useNamedAssets(companyId, chosen)
  const told = chosen.length === 1 ? (named[0]?.name ?? null) : `${chosen.length} selected`
  return (
    <LateChoice
      kind="some"
      find={find}
      what="assets"
      none="All assets"
      chosen={named}
      onChange={(taken) => onChange(taken.map(({ id }) => id))}
      trigger={<FacetButton name="Asset" told={chosen.length === 0 ? null : told} />}
    />
  )
}
