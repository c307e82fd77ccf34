// The form for a tool's credential, which is checked with the tool before it is stored.

import { useAsk, useChange } from '../../api/ask.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Button } from '../../ui/button.tsx'
import { type Begun, keepBegun } from './begun.ts'
import { ConsentTypes, type Integration, StartConsent } from './documents.ts'
import styles from './integrations.module.css'
import { type Kind, kinds, regionWord } from './kinds.ts'
import { saveIntegration } from './save.ts'

type Props = {
  kind: Kind
  /** the integration being edited */
  integration: Integration | undefined
  /** whether to create another integration even if one of this kind exists */
  addAnother: boolean
  onClose: () => void
  onSaved: (integrationId: string) => void | Promise<void>
}

export function Credential({ kind, integration, addAnother, onClose, onSaved }: Props) {
  const companyId = useCompanyId()
  const change = useChange()
  const { name, fields, consent, isHost } = kinds[kind]
  const { data } = useAsk(ConsentTypes, { companyId }, { pause: consent === undefined })
  const mayNotConsent =
    data && !data.authorizationTypes.includes(kind)
      ? `No OAuth client for ${name} is configured in this installation; use a token.`
      : undefined
  const givenOf = (filled: Filled, names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((field) => {
        const value = filled.optional(field)
        return value === null ? [] : [[field, value]]
      }),
    )
  const goToConsent = async (given: Record<string, string>, whose: Omit<Begun, 'state' | 'given'>) => {
    const { instanceUrl } = given
    const input = { companyId, type: kind, ...(instanceUrl !== undefined && { instanceUrl }) }
    const { startAuthorization } = await change(StartConsent, { input })
    if (!startAuthorization) return
    keepBegun({ ...whose, given, state: startAuthorization.state })
    window.location.assign(startAuthorization.url)
    // keeps the form in its running state until the browser leaves the page
    await new Promise(() => {})
  }
  const save = async (filled: Filled) => {
    const whose = { companyId, ...(integration ? { integrationId: integration.id } : { addAnother }) }
    const scans = isHost
      ? {
          astScansEnabled: filled.all('astScansEnabled').length > 0,
          astBranchPattern: filled.optional('astBranchPattern'),
        }
      : {}
    if (consent && filled.text('by') === 'consent') {
      return goToConsent(givenOf(filled, consent), { ...whose, addAnother, kind, scans })
    }
    const given = givenOf(
      filled,
      fields.map((field) => field.name),
    )
    const id = await saveIntegration(change, kind, whose, given, scans)
    if (id !== undefined) await onSaved(id)
  }
  const known = integration && 'astScansEnabled' in integration ? integration : undefined
  return (
    <Form
      action={save}
      submit={integration ? 'Verify and save' : 'Verify and connect'}
      onCancel={onClose}
      otherwise={
        consent && (
          <div className={styles.otherwise}>
            <p className="muted">
              {mayNotConsent ??
                `Or authorize with OAuth: ${name} asks you to grant Merlon access and returns you here.`}
            </p>
            <Button type="submit" name="by" value="consent" formNoValidate disabledReason={mayNotConsent}>
              Authorize with {name}…
            </Button>
          </div>
        )
      }
    >
      {fields.map(({ name, label, hint, values, ...field }) =>
        values ? (
          <SelectField
            key={name}
            name={name}
            label={label}
            hint={hint}
            none={integration ? 'Unchanged' : 'Default'}
            options={values.map((value) => ({ value, label: regionWord(value) }))}
          />
        ) : (
          <TextField
            key={name}
            name={name}
            label={label}
            hint={hint}
            placeholder={field.placeholder}
            type={field.isHidden ? 'password' : 'text'}
            autoComplete={field.isHidden ? 'new-password' : 'off'}
            required={!field.isOptional && !integration}
          />
        ),
      )}
      {isHost && (
        <>
          <label className="row">
            <input type="checkbox" name="astScansEnabled" value="yes" defaultChecked={known?.astScansEnabled} />
            Create a deploy for each push and merge
          </label>
          <TextField
            name="astBranchPattern"
            label="Branches (optional)"
            hint="A name or a pattern such as release/*. Leave empty for all branches."
            defaultValue={known?.astBranchPattern ?? ''}
          />
        </>
      )}
    </Form>
  )
}
