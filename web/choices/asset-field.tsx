// A form field that asks for an asset, filled in already when the company has only one.

import { SearchField } from '../forms/search-field.tsx'
import type { Option } from '../ui/search-offered.ts'
import { useFindAssets, useFirstAssets } from './assets.ts'

type Props = {
  companyId: string
  label: string
  name?: string
  /** The label of the empty choice; without it an asset is required. */
  none?: string
  onChoose?: (chosen: readonly Option[]) => void
}

export function AssetField({ companyId, name = 'assetId', none, ...rest }: Props) {
  const find = useFindAssets(companyId)
  const first = useFirstAssets(companyId)
  const isOnly = none === undefined && first?.total === 1
  return (
    <SearchField
      // the key changes, and so remounts the field with its initial value, once the number of assets is known
      key={String(isOnly)}
      name={name}
      find={find}
      what="assets"
      initial={isOnly ? first.options : []}
      {...(none === undefined ? { required: true } : { none })}
      {...rest}
    />
  )
}
