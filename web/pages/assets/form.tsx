// The form that creates an asset or edits one.

import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { LongTextField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { optionsOf } from '../../util/words.ts'
import { type AssetDetail, CreateAsset, UpdateAsset } from './documents.ts'

type Kind = EnumOf<'AssetTypeList'>
const kinds = [
  'api',
  'web',
  'client_server',
  'native_mobile',
  'hybrid_mobile',
  'progressive_web_app',
  'cluster',
  'database',
  'domain',
  'legacy',
  'node',
  'dmz',
] as const satisfies readonly Kind[]
const cycles = [
  'production',
  'homologation',
  'certification',
  'discontinued',
] as const satisfies readonly EnumOf<'AssetLifeCycle'>[]
const impacts = ['HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED'] as const satisfies readonly EnumOf<'BusinessImpactLevel'>[]
const exposures = ['INTERNET_FACING', 'INTERNAL', 'NOT_DEFINED'] as const satisfies readonly EnumOf<'Exploitability'>[]

type Props = {
  companyId: string
  asset?: AssetDetail
  onClose: () => void
  onDone: (id: string) => void | Promise<void>
}

export function AssetDialog({ companyId, asset, onClose, onDone }: Props) {
  const change = useChange()
  const save = async (filled: Filled) => {
    const input = {
      companyId: Number(companyId),
      name: filled.text('name'),
      description: filled.optional('description'),
      repoUrl: filled.optional('repoUrl'),
      url: filled.optional('url'),
      assetType: filled.oneOf('assetType', kinds),
      lifeCycle: filled.oneOf('lifeCycle', cycles),
      businessImpact: filled.oneOf('businessImpact', impacts),
      exploitability: filled.oneOf('exploitability', exposures),
    }
    const id = asset
      ? (await change(UpdateAsset, { input: { ...input, id: asset.id } }, ['Asset'])).updateAsset?.asset?.id
      : (await change(CreateAsset, { input }, ['Asset'])).createAsset?.asset?.id
    say(asset ? 'Asset saved.' : 'Asset created.')
    if (id !== undefined) await onDone(id)
  }
  return (
    <Dialog title={asset ? 'Edit asset' : 'New asset'} isOpen onClose={onClose}>
      <Form action={save} submit={asset ? 'Save' : 'Create asset'} onCancel={onClose}>
        <Fields asset={asset} />
      </Form>
    </Dialog>
  )
}

const Fields = ({ asset }: { asset: AssetDetail | undefined }) => (
  <>
    <TextField name="name" label="Name" required maxLength={200} defaultValue={asset?.name} />
    <LongTextField name="description" label="Description (optional)" defaultValue={asset?.description ?? ''} />
    <TextField
      name="repoUrl"
      label="Repository (optional)"
      defaultValue={asset?.repoUrl ?? ''}
      placeholder="https://git.example.com/team/service"
    />
    <TextField
      name="url"
      label="URL (optional)"
      defaultValue={asset?.url ?? ''}
      placeholder="https://service.example.com"
    />
    <SelectField
      name="assetType"
      label="Type"
      none="Not set"
      options={optionsOf(kinds)}
      defaultValue={asset?.assetType ?? ''}
    />
    <SelectField
      name="lifeCycle"
      label="Lifecycle"
      none="Not set"
      options={optionsOf(cycles)}
      defaultValue={asset?.lifeCycle ?? ''}
    />
    <SelectField
      name="businessImpact"
      label="Business impact"
      hint="Affects the priority of its findings."
      options={optionsOf(impacts)}
      defaultValue={asset?.businessImpact ?? 'NOT_DEFINED'}
    />
    <SelectField
      name="exploitability"
      label="Exposure"
      hint="Affects the priority of its findings."
      options={optionsOf(exposures)}
      defaultValue={asset?.exploitability ?? 'NOT_DEFINED'}
    />
  </>
)
