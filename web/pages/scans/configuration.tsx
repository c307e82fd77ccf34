// The form for how the dynamic scanner scans an asset.

import { useState } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { upload } from '../../api/upload.ts'
import { useFindSecrets, useNamedSecrets } from '../../choices/secrets.ts'
import { ChoiceField, FileField, LongTextField, SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { say } from '../../frame/toasts.tsx'
import { Awaited } from '../../ui/answered.tsx'
import type { Option } from '../../ui/search-choice.tsx'
import { to } from '../../util/path-builder.ts'
import { optionsOf } from '../../util/words.ts'
import { type ConfigurationAnswer, SaveConfiguration } from './documents.ts'

const formats = ['OPENAPI', 'GRAPHQL', 'SOAP', 'POSTMAN', 'HAR'] as const
const profiles = [
  { value: 'BASIC', label: 'Basic – looks, and sends nothing that could do harm' },
  { value: 'BALANCED', label: 'Balanced – tries, and leaves no more behind than the operations themselves' },
  { value: 'DEEP', label: 'Deep – everything, for targets that may be changed' },
] as const

type Known = { assetId: string; known: ConfigurationAnswer['scannerConfiguration'] }

/** Shows the fields once the names of the configured secrets are loaded. */
export function ConfigurationForm(props: Known) {
  const companyId = useCompanyId()
  const { secretIds = [], secondSecretIds = [] } = props.known ?? {}
  const secrets = useNamedSecrets(companyId, [...secretIds, ...secondSecretIds])
  return secrets === undefined ? <Awaited lines={8} /> : <Fields {...props} secrets={secrets} />
}

function Fields({ assetId, known, secrets }: Known & { secrets: readonly Option[] }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const [hasFile, setHasFile] = useState(false)
  const find = useFindSecrets(companyId)
  const among = (ids: readonly string[] = []) => secrets.filter(({ id }) => ids.includes(id))
  const save = async (filled: Filled) => {
    const input = {
      assetId,
      targetUrl: filled.optional('targetUrl'),
      apiFormat: filled.oneOf('apiFormat', formats) ?? null,
      scanProfile: filled.oneOf(
        'scanProfile',
        profiles.map(({ value }) => value),
      ),
      secretIds: filled.all('secretIds'),
      secondSecretIds: filled.all('secondSecretIds'),
      apiSchemaUrl: filled.optional('apiSchemaUrl'),
      includePaths: pathsOf(filled.text('includePaths')),
      excludePaths: pathsOf(filled.text('excludePaths')),
      requestsPerSecond: numberOf(filled.optional('requestsPerSecond')),
      maxRequests: numberOf(filled.optional('maxRequests')),
      maxMinutes: numberOf(filled.optional('maxMinutes')),
      schedule: filled.optional('schedule'),
      allowDestructive: filled.all('allowDestructive').length > 0,
    }
    const file = filled.file('apiSchemaFile')
    if (file) await upload(SaveConfiguration, { input }, { file, at: 'input.apiSchemaFile' })
    else await change(SaveConfiguration, { input }, ['ScannerConfiguration'])
    say('The scanner is set up.')
  }
  return (
    <Form action={save} submit="Save" disabledReason={whyNot(session, companyId, 'scans:configure')}>
      <TextField
        name="targetUrl"
        label="Where it starts"
        type="url"
        defaultValue={known?.targetUrl ?? ''}
        placeholder="https://service.example.com/api"
        hint="Scan only what you may scan."
      />
      <ChoiceField
        name="scanProfile"
        label="How far it goes"
        kind="one"
        initial={[known?.scanProfile ?? 'BALANCED']}
        options={profiles}
      />
      <SelectField
        name="apiFormat"
        label="Description of the API"
        none="None: pages are followed from the start"
        options={optionsOf(formats)}
        defaultValue={known?.apiFormat ?? ''}
        required={hasFile}
      />
      <FileField
        name="apiSchemaFile"
        label="Its file"
        hint={
          known?.apiSchemaSourceFile
            ? `Now ${known.apiSchemaSourceFile}.`
            : 'OpenAPI, Swagger, SDL, introspection, WSDL, Postman 2.1 or HAR.'
        }
        onChange={(event) => setHasFile((event.target.files?.length ?? 0) > 0)}
      />
      <TextField
        name="apiSchemaUrl"
        label="Or its address"
        type="url"
        defaultValue={known?.apiSchemaUrl ?? ''}
        placeholder="https://service.example.com/openapi.json"
      />
      <SearchField
        name="secretIds"
        label="How it signs in"
        hint={
          <>
            Credentials are kept under <Link to={to.secrets({ companyId })}>Secrets</Link>.
          </>
        }
        kind="some"
        none="It does not"
        find={find}
        what="secrets"
        initial={among(known?.secretIds)}
      />
      <SearchField
        name="secondSecretIds"
        label="How a second person signs in"
        hint="What only two people can show: whose objects and functions are whose."
        kind="some"
        none="It does not"
        find={find}
        what="secrets"
        initial={among(known?.secondSecretIds)}
      />
      <LongTextField
        name="includePaths"
        label="Only these paths (optional)"
        hint="One a line, such as /api/**."
        defaultValue={known?.includePaths.join('\n') ?? ''}
      />
      <LongTextField
        name="excludePaths"
        label="Not these paths (optional)"
        defaultValue={known?.excludePaths.join('\n') ?? ''}
      />
      <ChoiceField
        name="allowDestructive"
        label="What ends or destroys"
        kind="some"
        initial={known?.allowDestructive ? ['true'] : []}
        options={[{ value: 'true', label: 'Ask also what deletes, logs out, resets or changes passwords' }]}
      />
      <TextField
        name="requestsPerSecond"
        label="Requests a second (50 unless said)"
        type="number"
        min={1}
        defaultValue={known?.requestsPerSecond ?? ''}
      />
      <TextField
        name="maxRequests"
        label="Requests in all (60,000 unless said)"
        type="number"
        min={1}
        defaultValue={known?.maxRequests ?? ''}
      />
      <TextField
        name="maxMinutes"
        label="Minutes in all (60 unless said)"
        type="number"
        min={1}
        defaultValue={known?.maxMinutes ?? ''}
      />
      <TextField
        name="schedule"
        label="Start by itself (optional)"
        hint="Minute hour day month weekday, UTC: 0 3 * * 1 is Mondays at three."
        placeholder="0 3 * * 1"
        defaultValue={known?.schedule ?? ''}
      />
    </Form>
  )
}

const pathsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))
