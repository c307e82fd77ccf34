// Which asset is to be scanned: its own page says how, and starts it.

import { useNavigate } from 'react-router'
import { SelectField } from '../../forms/field.tsx'
import { Form } from '../../forms/form.tsx'
import { useAssets } from '../../table/asset-facet.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { to } from '../../util/path-builder.ts'

export default function StartScan({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const navigate = useNavigate()
  const assets = useAssets(companyId)
  return (
    <Dialog
      title="Start a scan"
      description="How far it goes, and where it begins, is said on the page of the asset."
      isOpen
      onClose={onClose}
    >
      <Form
        action={async (filled) => {
          await navigate(to.asset({ companyId, assetId: filled.text('asset') }, 'scanner'))
        }}
        submit="Go on"
        onCancel={onClose}
        disabledReason={assets.length === 0 ? 'There is no asset yet.' : undefined}
      >
        <SelectField
          name="asset"
          label="Of the asset"
          required
          options={assets.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Form>
    </Dialog>
  )
}
