// A tool is connected, or gets another credential: it is checked with the tool before anything is kept.

import { useChange } from '../../api/ask.ts'
import { TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
  onDone: () => void
}

const regions = ['US_1', 'US_2', 'EU_1', 'AU_1'] as const

export default function Connect({ kind, integration, addAnother, onClose, onDone }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const { name, fields, isHost } = kinds[kind]
  const save = async (filled: Filled) => {
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
        await change(SaveHostA, { input: { ...base, ...scans } })
        break
      case 'HOST_B':
        await change(SaveHostB, { input: { ...base, ...scans } })
        break
      case 'SCANNER_A':
        await change(SaveScannerA, { input: base })
        break
      case 'SCANNER_B':
        await change(SaveScannerB, { input: { ...base, region: regions.find((one) => one === given.region) } })
        break
      case 'BOARDS_TRACKER':
        await change(SaveBoardsTracker, { input: base })
        break
      case 'TASK_TRACKER':
        await change(SaveTaskTracker, { input: base })
        break
    }
    say(`${name} answered and is connected.`)
    onDone()
  }
  const known = integration && 'astScansEnabled' in integration ? integration : undefined
  return (
    <Dialog
      title={integration ? `Change ${name}` : `Connect ${addAnother ? 'another ' : ''}${name}`}
      description={
        integration ? 'What is left empty stays as it is.' : 'It is asked at once whether the credential is good.'
      }
      isOpen
      onClose={onClose}
    >
      <Form action={save} submit={integration ? 'Check and change' : 'Check and connect'} onCancel={onClose}>
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
    </Dialog>
  )
}
