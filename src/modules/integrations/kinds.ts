// The types of integrations: the settings and credentials of each, and how they are read from what a caller gives.

import { z } from 'zod'
import { type ConnectorType, type Credential, connectorTypes, type Settings } from '../../connectors/kinds.ts'
import { badUserInput } from '../../core/errors.ts'
import { readText, readWords } from '../../core/text.ts'
import type { ToolTypeCategory } from '../api.generated.ts'

const integrationTypes = connectorTypes satisfies readonly ToolTypeCategory[]

export type IntegrationType = ConnectorType

export const isIntegrationType = (type: ToolTypeCategory): type is IntegrationType =>
  integrationTypes.some((known) => known === type)

export type { Settings } from '../../connectors/kinds.ts'

/** Settings of a type are those of its kind; the others stay as they are here. */
export const blankSettings: Settings = {
  baseUrl: null,
  region: null,
  instanceUrl: null,
  organizationName: null,
  workspaceId: null,
  astScansEnabled: false,
  astBranchPattern: null,
  groupIds: [],
  workspaceIds: [],
}

const keptCredential = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('KEY_PAIR'), accessKey: z.string(), secretKey: z.string() }),
  z.strictObject({ kind: z.literal('TOKEN'), token: z.string() }),
  z.strictObject({ kind: z.literal('LOGIN'), email: z.string(), token: z.string() }),
  z.strictObject({
    kind: z.literal('OAUTH'),
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    /** ISO 8601; null: it does not expire */
    expiresAt: z.string().nullable(),
  }),
])

/** A credential that the vendor accepted, as it is sealed. */
export type KeptCredential = Credential

/** A credential as it was given; a code of the OAuth flow is exchanged before anything is kept. */
export type GivenCredential =
  | Exclude<KeptCredential, { kind: 'OAUTH' }>
  /** `verifier` is what the code was bound to when it was asked for; it is kept here under the state */
  | { kind: 'OAUTH_CODE'; code: string; state: string; verifier: string | null }

export const writeCredential = (credential: KeptCredential): string => JSON.stringify(credential)

/** What `writeCredential` wrote. */
export const parseCredential = (text: string): KeptCredential =>
  keptCredential.parse(JSON.parse(text)) satisfies Credential

type CredentialField =
  | 'accessKey'
  | 'secretKey'
  | 'apiToken'
  | 'accessToken'
  | 'personalToken'
  | 'email'
  | 'code'
  | 'state'

/** What a caller gave. Of settings undefined stays and null takes away; of credentials both say nothing. */
export type Given = { [K in CredentialField]?: string | null } & { [K in keyof Settings]?: Settings[K] | null }

type Form = { fields: readonly CredentialField[]; build: (of: (field: CredentialField) => string) => GivenCredential }

const token = (field: CredentialField): Form => ({
  fields: [field],
  build: (of) => ({ kind: 'TOKEN', token: of(field) }),
})

const oauthCode: Form = {
  fields: ['code', 'state'],
  build: (of) => ({ kind: 'OAUTH_CODE', code: of('code'), state: of('state'), verifier: null }),
}

const login: Form = {
  fields: ['email', 'apiToken'],
  build: (of) => ({ kind: 'LOGIN', email: of('email'), token: of('apiToken') }),
}

const keyPair: Form = {
  fields: ['accessKey', 'secretKey'],
  build: (of) => ({ kind: 'KEY_PAIR', accessKey: of('accessKey'), secretKey: of('secretKey') }),
}

const forms: Record<IntegrationType, readonly Form[]> = {
  HOST_A: [oauthCode, token('accessToken'), login],
  HOST_B: [oauthCode, token('personalToken')],
  SCANNER_A: [keyPair],
  SCANNER_B: [token('apiToken')],
  BOARDS_TRACKER: [oauthCode, token('personalToken')],
  TASK_TRACKER: [oauthCode, token('personalToken')],
}

/** The credential that was given, or null when none was. A fault names a field and never what it held. */
export function readCredential(type: IntegrationType, given: Given): GivenCredential | null {
  const isGiven = (field: CredentialField) => given[field] !== undefined && given[field] !== null
  const [form, second] = forms[type].filter(({ fields }) => fields.some(isGiven))
  if (!form) return null
  if (second) throw badUserInput('Give one credential, not several', `input.${second.fields.find(isGiven)}`)
  const missing = form.fields.find((field) => !isGiven(field))
  if (missing) throw badUserInput(`${form.fields.join(' and ')} go together`, `input.${missing}`)
  return form.build((field) => readVisible(given[field] ?? '', field))
}

/** Credentials go into headers: visible ASCII, without the semicolon that would end them there. */
function readVisible(value: string, field: CredentialField): string {
  if (/^[\x21-\x3a\x3c-\x7e]{1,4096}$/.test(value)) return value
  throw badUserInput(`${field} has 1 to 4096 visible ASCII characters`, `input.${field}`)
}

/** Reads what was given of the settings: undefined where nothing was. */
export function readSettings(given: Given): Partial<Settings> {
  if (given.baseUrl && given.region) throw badUserInput('Give a region or an address, not both', 'input.baseUrl')
  const baseUrl = readAddress(given.baseUrl, 'input.baseUrl')
  return {
    baseUrl: given.region ? null : baseUrl,
    region: baseUrl ? null : given.region,
    instanceUrl: readAddress(given.instanceUrl, 'input.instanceUrl'),
    organizationName: readShort(given.organizationName, 'input.organizationName'),
    workspaceId: readShort(given.workspaceId, 'input.workspaceId'),
    astScansEnabled: given.astScansEnabled === null ? false : given.astScansEnabled,
    astBranchPattern: readShort(given.astBranchPattern, 'input.astBranchPattern'),
    groupIds: given.groupIds === null ? [] : (readWords(given.groupIds, 'input.groupIds') ?? undefined),
    workspaceIds: given.workspaceIds === null ? [] : (readWords(given.workspaceIds, 'input.workspaceIds') ?? undefined),
  }
}

export const changedSettings = (before: Settings, change: Partial<Settings>): Settings => ({
  ...before,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})

/** Where the credential is sent: when this changes, the credential must be given again. */
export const addressOf = ({ baseUrl, region, instanceUrl }: Settings): string => baseUrl ?? instanceUrl ?? region ?? ''

const readShort = (text: string | null | undefined, argument: string): string | null | undefined => {
  const trimmed = readText(text, argument, 255)?.trim()
  return trimmed === '' ? null : text === null ? null : trimmed
}

/** An https address without credentials, query or fragment, without the slash at its end. */
function readAddress(text: string | null | undefined, argument: string): string | null | undefined {
  const address = readShort(text, argument)
  if (address === null || address === undefined) return address
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badUserInput(`${argument.slice('input.'.length)} is an https address without credentials or query`, argument)
  }
  return url.href.replace(/\/$/, '')
}
