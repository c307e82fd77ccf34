// The dialog that chooses an asset to scan; its own page then shows the configuration and starts the scan.

import { Link, useNavigate } from 'react-router'
import { AssetField } from '../../choices/asset-field.tsx'
import { useFirstAssets } from '../../choices/assets.ts'
import { Form } from '../../forms/form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { to } from '../../util/path-builder.ts'

export default function StartScan({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const first = useFirstAssets(companyId)
  return (
    <Dialog
      title="Start a scan"
      description={
        first?.total === 0 ? (
          <>
            There are no assets to scan yet: <Link to={to.assets({ companyId })}>add one</Link> first.
          </>
        ) : (
          'Choose the scan profile and target URL on the asset’s page.'
        )
      }
      isOpen
      onClose={onClose}
    >
      <Form
        action={async (filled) => {
          await navigate(to.asset({ companyId, assetId: filled.text('asset') }, 'scanner'))
        }}
        submit="Continue"
        onCancel={onClose}
        disabledReason={first?.total === 0 ? 'There are no assets yet.' : undefined}
      >
        <AssetField companyId={companyId} name="asset" label="Asset" />
      </Form>
    </Dialog>
  )
}
