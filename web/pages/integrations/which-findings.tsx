// The fields for which asset's findings become cards on a board or list, and from which severity they do so automatically.

import { useState } from 'react'
import { AssetField } from '../../choices/asset-field.tsx'
import { SelectField } from '../../forms/field.tsx'
import type { Filled } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { severities } from '../../ui/severity.tsx'
import { wordsOf } from '../../util/words.ts'
import type { StatusMap } from './status-map.tsx'
import { WouldMake } from './would-make.tsx'

export const createFromOf = (filled: Filled) => filled.oneOf('createFrom', severities) ?? null

/** `map` is the status mapping entered so far; null while no board or list is chosen. */
export function WhichFindings({ integrationId, map }: { integrationId: string; map: StatusMap | null }) {
  const companyId = useCompanyId()
  const [assetId, setAssetId] = useState('')
  const [createFrom, setCreateFrom] = useState('')
  return (
    <>
      <AssetField
        companyId={companyId}
        label="Asset"
        none="All assets without their own board"
        onChoose={([asset]) => setAssetId(asset?.id ?? '')}
      />
      <SelectField
        name="createFrom"
        label="Create cards"
        none="manually only"
        options={severities.map((severity) => ({
          value: severity,
          label: `for new findings, ${wordsOf(severity).toLowerCase()} and above`,
        }))}
        value={createFrom}
        onChange={(event) => setCreateFrom(event.target.value)}
      />
      {map !== null && (
        <WouldMake
          companyId={companyId}
          integrationId={integrationId}
          assetId={assetId}
          createFrom={severities.find((one) => one === createFrom) ?? null}
          map={map}
        />
      )}
    </>
  )
}
