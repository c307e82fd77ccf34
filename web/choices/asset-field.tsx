// The field of a form that asks for an asset; where the company has one alone, that is it.

import { SearchField } from '../forms/search-field.tsx'
import type { Option } from '../ui/search-choice.tsx'
import { useFindAssets, useFirstAssets } from './assets.ts'

type Props = {
  companyId: string
  label: string
  name?: string
  /** What choosing none is called, where none may be chosen. */
  none?: string
  onChoose?: (chosen: readonly Option[]) => void
}

export function AssetField({ companyId, name = 'assetId', none, ...rest }: Props) {
  const find = useFindAssets(companyId)
  const first = useFirstAssets(companyId)
  const isOnly = none === undefined && first?.total === 1
  return (
    <SearchField
      // it is drawn anew once it is known whether there is a choice
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
