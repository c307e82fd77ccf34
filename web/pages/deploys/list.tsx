// The deploys of a company, with the verdict of each.

import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { AssetFacet } from '../../table/asset-facet.tsx'
import { ids, useUrlState } from '../../util/url-state.ts'
import { DeployTable } from './table.tsx'

const shape = { asset: ids() }

export function Component() {
  const companyId = useCompanyId()
  const [{ asset }, setState] = useUrlState(shape)
  return (
    <Page
      title="Deploys"
      isFilled
      filters={<AssetFacet companyId={companyId} chosen={asset} onChange={(chosen) => setState({ asset: chosen })} />}
    >
      <DeployTable companyId={companyId} assetIds={asset} isFilled />
    </Page>
  )
}
