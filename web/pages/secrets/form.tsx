// The form that creates a secret or replaces its values; what is typed goes to the server and is never shown again.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { graphql, type VariablesOf } from '../../api/graphql.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { say } from '../../frame/toasts.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { optionsOf } from '../../util/words.ts'
import type { SecretKind, SecretRow } from './documents.ts'

const CreateSecret = graphql(`
  mutation CreateSecretHere($input: CreateSecretInput!) {
    createSecret(input: $input) { secret { id name } }
  }
`)

const UpdateSecret = graphql(`
  mutation UpdateSecretHere($input: UpdateSecretInput!) {
    updateSecret(input: $input) { secret { id name } }
  }
`)

type Values = VariablesOf<typeof CreateSecret>['input']['values']
type Field = { name: keyof Values & string; label: string; isHidden?: boolean; isOptional?: boolean; hint?: string }

const kinds = [
  'BEARER_TOKEN',
  'BASIC_AUTH',
  'HEADER',
  'COOKIE',
  'QUERY_PARAMETER',
  'FORM_LOGIN',
] as const satisfies readonly SecretKind[]

const pairOf = (what: string): Field[] => [
  { name: 'name', label: `${what} name` },
  { name: 'value', label: `${what} value`, isHidden: true },
]

const fields: Record<SecretKind, Field[]> = {
  BEARER_TOKEN: [{ name: 'token', label: 'Token', isHidden: true }],
  BASIC_AUTH: [
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', isHidden: true },
  ],
  HEADER: pairOf('Header'),
  COOKIE: pairOf('Cookie'),
  QUERY_PARAMETER: pairOf('Parameter'),
  FORM_LOGIN: [
    { name: 'loginUrl', label: 'Login page URL' },
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', isHidden: true },
    { name: 'usernameSelector', label: 'Username selector', hint: 'A CSS selector, such as #email.' },
    { name: 'passwordSelector', label: 'Password selector' },
    { name: 'submitSelector', label: 'Submit button selector (optional)', isOptional: true },
    {
      name: 'totp',
      label: 'TOTP secret (optional)',
      hint: 'Base32, as shown beside the QR code.',
      isHidden: true,
      isOptional: true,
    },
  ],
}

type Props = { companyId: string; secret?: SecretRow; onClose: () => void; onDone: () => Promise<void> }

export function SecretDialog({ companyId, secret, onClose, onDone }: Props) {
  const change = useChange()
  const [kind, setKind] = useState<SecretKind>(secret?.type ?? 'BEARER_TOKEN')
  const save = async (filled: Filled) => {
    const values: Record<string, string> = {}
    for (const { name, isOptional } of fields[kind]) {
      const value = filled.text(`values.${name}`)
      if (value !== '' || !isOptional) values[name] = value
    }
    const said = { name: filled.text('label'), description: filled.optional('description'), type: kind, values }
    if (secret) await change(UpdateSecret, { input: { id: secret.id, ...said } }, ['Secret'])
    else await change(CreateSecret, { input: { companyId, ...said } }, ['Secret'])
    say(secret ? `Secret “${said.name}” saved.` : `Secret “${said.name}” created.`)
    await onDone()
  }
  return (
    <Dialog
      title={secret ? `Edit “${secret.name}”` : 'New secret'}
      description={secret ? 'The values you enter replace the stored ones, which are never shown.' : undefined}
      isOpen
      onClose={onClose}
    >
      <Form action={save} submit={secret ? 'Save' : 'Create secret'} onCancel={onClose}>
        <TextField name="label" label="Name" required defaultValue={secret?.name} />
        <TextField name="description" label="Description (optional)" defaultValue={secret?.description ?? ''} />
        <SelectField
          name="type"
          label="Type"
          options={optionsOf(kinds)}
          value={kind}
          onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? kind)}
        />
        {fields[kind].map(({ name, label, isHidden, isOptional, hint }) => (
          <TextField
            key={`${kind} ${name}`}
            name={`values.${name}`}
            label={label}
            hint={hint}
            required={!isOptional}
            type={isHidden ? 'password' : 'text'}
            autoComplete={isHidden ? 'new-password' : 'off'}
          />
        ))}
      </Form>
    </Dialog>
  )
}
