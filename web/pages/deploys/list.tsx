// The list of a company's deploys, with the verdict of each.

import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { AssetFacet } from '../../table/asset-facet.tsx'
import { Facet } from '../../table/filters.tsx'
import { decisions, Verdict, verdictWord } from '../../ui/verdict.tsx'
import { ids, someOf, useUrlState } from '../../util/url-state.ts'
import { countedUpTo } from '../../util/words.ts'
import { DeployTable, useDeploys } from './table.tsx'

const shape = { asset: ids(), gate: someOf(decisions) }

export function Component() {
  const companyId = useCompanyId()
  const [{ asset, gate }, setState] = useUrlState(shape)
  const asked = { companyId, assetIds: asset, decisions: gate }
  const list = useDeploys(asked)
  return (
    <Page
      title="Deploys"
      isFilled
      count={list.total && countedUpTo(list.total, 'deploy')}
      filters={
        <>
          <Facet
            name="Gate"
            options={decisions}
            chosen={gate}
            onChange={(chosen) => setState({ gate: chosen })}
            show={(decision) => <Verdict of={decision} />}
            wordOf={verdictWord}
          />
          <AssetFacet companyId={companyId} chosen={asset} onChange={(chosen) => setState({ asset: chosen })} />
        </>
      }
    >
      <DeployTable {...asked} list={list} isFilled />
    </Page>
  )
}
