// The form that creates an asset or edits one.

import { useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { LongTextField, TextField } from '../../forms/field.tsx'
import type { Filled } from '../../forms/form.tsx'
import { RecordDialog } from '../../forms/record-dialog.tsx'
import { WordField } from '../../forms/word-field.tsx'
import { say } from '../../frame/toasts.tsx'
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
    <RecordDialog what="asset" isNew={!asset} save={save} onClose={onClose}>
      <Fields asset={asset} />
    </RecordDialog>
  )
}

const PRIORITY = 'Affects the priority of its findings.'

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
    <WordField name="assetType" label="Type" words={kinds} now={asset?.assetType} isOptional />
    <WordField name="lifeCycle" label="Lifecycle" words={cycles} now={asset?.lifeCycle} isOptional />
    <WordField
      name="businessImpact"
      label="Business impact"
      hint={PRIORITY}
      words={impacts}
      now={asset?.businessImpact ?? 'NOT_DEFINED'}
    />
    <WordField
      name="exploitability"
      label="Exposure"
      hint={PRIORITY}
      words={exposures}
      now={asset?.exploitability ?? 'NOT_DEFINED'}
    />
  </>
)
