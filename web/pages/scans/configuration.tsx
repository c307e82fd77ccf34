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
import type { Option } from '../../ui/search-offered.ts'
import { to } from '../../util/path-builder.ts'
import { optionsOf } from '../../util/words.ts'
import { type ConfigurationAnswer, SaveConfiguration } from './documents.ts'

const formats = ['OPENAPI', 'GRAPHQL', 'SOAP', 'POSTMAN', 'HAR'] as const
const profiles = [
  { value: 'BASIC', label: 'Basic – read requests only' },
  { value: 'BALANCED', label: 'Balanced – also creates and updates data' },
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
  const save = async (filled: Filled) => {
    const input = writtenIn(filled, assetId)
    const file = filled.file('apiSchemaSourceFile')
    if (file) await upload(SaveConfiguration, { input }, { file, at: 'input.apiSchemaSourceFile' })
    else await change(SaveConfiguration, { input }, ['ScannerConfiguration'])
    say('Scanner configuration saved.')
  }
  return (
    <Form action={save} submit="Save" disabledReason={whyNot(session, companyId, 'scans:configure')}>
      <TextField
        name="targetUrl"
        label="Target URL"
        type="url"
        defaultValue={known?.targetUrl ?? ''}
        placeholder="https://service.example.com/api"
        hint="Scan only systems you are authorized to test."
      />
      <ChoiceField
        name="scanProfile"
        label="Scan profile"
        kind="one"
        initial={[known?.scanProfile ?? 'BALANCED']}
        options={profiles}
      />
      <Specification known={known} />
      <Identities known={known} secrets={secrets} />
      <LongTextField
        name="includePaths"
        label="Included paths (optional)"
        hint="One per line, such as /api/**."
        defaultValue={known?.includePaths.join('\n') ?? ''}
      />
      <LongTextField
        name="excludePaths"
        label="Excluded paths (optional)"
        defaultValue={known?.excludePaths.join('\n') ?? ''}
      />
      <ChoiceField
        name="allowDestructive"
        label="Destructive operations"
        kind="some"
        initial={known?.allowDestructive ? ['true'] : []}
        options={[{ value: 'true', label: 'Include requests that delete, log out, reset or change passwords' }]}
      />
      <Limits known={known} />
    </Form>
  )
}

const writtenIn = (filled: Filled, assetId: string) => ({
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
})

type Part = Pick<Known, 'known'>

function Specification({ known }: Part) {
  const [hasFile, setHasFile] = useState(false)
  return (
    <>
      <SelectField
        name="apiFormat"
        label="API specification"
        none="None: crawl pages from the target URL"
        options={optionsOf(formats)}
        defaultValue={known?.apiFormat ?? ''}
        required={hasFile}
      />
      <FileField
        name="apiSchemaSourceFile"
        label="Specification file"
        hint={
          known?.apiSchemaSourceFile
            ? `Current file: ${known.apiSchemaSourceFile}.`
            : 'OpenAPI, Swagger, SDL, introspection, WSDL, Postman 2.1 or HAR.'
        }
        onChange={(event) => setHasFile((event.target.files?.length ?? 0) > 0)}
      />
      <TextField
        name="apiSchemaUrl"
        label="Specification URL"
        type="url"
        defaultValue={known?.apiSchemaUrl ?? ''}
        placeholder="https://service.example.com/openapi.json"
      />
    </>
  )
}

function Identities({ known, secrets }: Part & { secrets: readonly Option[] }) {
  const companyId = useCompanyId()
  const find = useFindSecrets(companyId)
  const among = (ids: readonly string[] = []) => secrets.filter(({ id }) => ids.includes(id))
  return (
    <>
      <SearchField
        name="secretIds"
        label="Credentials"
        hint={
          <>
            Add credentials under <Link to={to.secrets({ companyId })}>Secrets</Link>.
          </>
        }
        kind="some"
        none="No sign-in"
        find={find}
        what="secrets"
        initial={among(known?.secretIds)}
      />
      <SearchField
        name="secondSecretIds"
        label="Second identity"
        hint="A second identity lets scans find broken access control between users."
        kind="some"
        none="No sign-in"
        find={find}
        what="secrets"
        initial={among(known?.secondSecretIds)}
      />
    </>
  )
}

const Limits = ({ known }: Part) => (
  <>
    <TextField
      name="requestsPerSecond"
      label="Rate limit (requests per second, default 50)"
      type="number"
      min={1}
      defaultValue={known?.requestsPerSecond ?? ''}
    />
    <TextField
      name="maxRequests"
      label="Maximum requests (default 60,000)"
      type="number"
      min={1}
      defaultValue={known?.maxRequests ?? ''}
    />
    <TextField
      name="maxMinutes"
      label="Maximum minutes (default 60)"
      type="number"
      min={1}
      defaultValue={known?.maxMinutes ?? ''}
    />
    <TextField
      name="schedule"
      label="Schedule (optional)"
      hint="Cron expression in UTC: 0 3 * * 1 is Mondays at 03:00."
      placeholder="0 3 * * 1"
      defaultValue={known?.schedule ?? ''}
    />
  </>
)

const pathsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))
