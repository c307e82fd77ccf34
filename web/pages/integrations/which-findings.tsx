// Whose findings become cards on a board or a list, and which of them by themselves.

import { SelectField } from '../../forms/field.tsx'
import type { Filled } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { useAssets } from '../../table/asset-facet.tsx'
import { severities } from '../../ui/severity.tsx'
import { wordsOf } from '../../util/words.ts'

export const createFromOf = (filled: Filled) => filled.oneOf('createFrom', severities) ?? null

export function WhichFindings() {
  const companyId = useCompanyId()
  const assets = useAssets(companyId)
  return (
    <>
      <SelectField
        name="assetId"
        label="For the findings of"
        none="Every asset without a board of its own"
        options={assets.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="createFrom"
        label="Cards are made"
        none="by hand alone"
        options={severities.map((severity) => ({
          value: severity,
          label: `for new findings, ${wordsOf(severity).toLowerCase()} and worse`,
        }))}
      />
    </>
  )
}
