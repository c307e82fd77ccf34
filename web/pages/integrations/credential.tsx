// What a tool is connected with: its credential is checked with the tool before anything is kept.

import { useChange } from '../../api/ask.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import {
  type Integration,
  SaveBoardsTracker,
  SaveHostA,
  SaveHostB,
  SaveScannerA,
  SaveScannerB,
  SaveTaskTracker,
} from './documents.ts'
import { type Kind, kinds } from './kinds.ts'

type Props = {
  kind: Kind
  /** the one that is changed */
  integration: Integration | undefined
  /** whether there may be one already, beside which another is made */
  addAnother: boolean
  onClose: () => void
  onSaved: (integrationId: string) => void
}

const regions = ['US_1', 'US_2', 'EU_1', 'AU_1'] as const

export function Credential({ kind, integration, addAnother, onClose, onSaved }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const { fields, isHost } = kinds[kind]
  const save = async (filled: Filled): Promise<string | undefined> => {
    const given = Object.fromEntries(
      fields.map((field) => [field.name, filled.optional(field.name)]).filter(([, value]) => value !== null),
    ) as Record<string, string>
    const base = { companyId, ...(integration ? { integrationId: integration.id } : { addAnother }), ...given }
    const scans = isHost
      ? {
          astScansEnabled: filled.all('astScansEnabled').length > 0,
          astBranchPattern: filled.optional('astBranchPattern'),
        }
      : {}
    switch (kind) {
      case 'HOST_A':
        return (await change(SaveHostA, { input: { ...base, ...scans } })).createOrUpdateHostAIntegration?.integration
          .id
      case 'HOST_B':
        return (await change(SaveHostB, { input: { ...base, ...scans } })).createOrUpdateHostBIntegration?.integration
          .id
      case 'SCANNER_A':
        return (await change(SaveScannerA, { input: base })).createOrUpdateScannerAIntegration?.integration.id
      case 'SCANNER_B':
        return (await change(SaveScannerB, { input: { ...base, region: regions.find((one) => one === given.region) } }))
          .createOrUpdateScannerBIntegration?.integration.id
      case 'BOARDS_TRACKER':
        return (await change(SaveBoardsTracker, { input: base })).createOrUpdateBoardsTrackerIntegration?.integration.id
      case 'TASK_TRACKER':
        return (await change(SaveTaskTracker, { input: base })).createOrUpdateTaskTrackerIntegration?.integration.id
    }
  }
  const saveAndGoOn = async (filled: Filled) => {
    const id = await save(filled)
    if (id !== undefined) onSaved(id)
  }
  const known = integration && 'astScansEnabled' in integration ? integration : undefined
  return (
    <Form action={saveAndGoOn} submit={integration ? 'Check and change' : 'Check and connect'} onCancel={onClose}>
      {fields.map((field) => (
        <TextField
          key={field.name}
          name={field.name}
          label={field.label}
          hint={field.hint}
          placeholder={field.placeholder}
          type={field.isHidden ? 'password' : 'text'}
          autoComplete={field.isHidden ? 'new-password' : 'off'}
          required={!field.isOptional && !integration}
        />
      ))}
      {isHost && (
        <>
          <label className="row">
            <input type="checkbox" name="astScansEnabled" value="yes" defaultChecked={known?.astScansEnabled} />
            Make a deploy of each push and merge
          </label>
          <TextField
            name="astBranchPattern"
            label="To these branches (optional)"
            hint="A name or a pattern such as release/*; empty: all."
            defaultValue={known?.astBranchPattern ?? ''}
          />
        </>
      )}
    </Form>
  )
}
