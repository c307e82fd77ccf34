// The one reader of the environment: parses all settings, and reports every fault at once.

import { z } from 'zod'
import type { CallbackAddress } from './callback-address.ts'
import { OperatorError } from './errors.ts'
import type { Allowed } from './outbound-address.ts'
import type { ScanTargets } from './scan-targets.ts'
import { type Settings, settingPairs, settings } from './settings.ts'

export type Config = {
  host: string
  port: number
  data: string
  /** the bucket of the stored files; null: they are in the data directory */
  bucket: Bucket | null
  databaseUrl: string | null
  publicUrl: string | null
  rootKey: string | null
  previousRootKey: string | null
  development: boolean
  trustProxy: boolean
  /** the token for /metrics; null: only this machine may read it */
  metricsToken: string | null
  logLevel: Settings['LOG_LEVEL']
  databaseConnections: number
  /** milliseconds */
  statementTimeout: number
  /** milliseconds */
  requestTimeout: number
  /** addresses of the published data on exploitation */
  feeds: { epss: string | null; kev: string | null; advisories: readonly string[] }
  /** hosts and networks that may be called in addition to the public internet */
  outbound: Allowed
  /** targets that every company may scan without verification */
  scanTargets: ScanTargets
  /** where scan targets can reach this machine; null: nowhere */
  scanListener: CallbackAddress | null
  /** null: no mail is sent */
  mail: { url: string; from: string } | null
  /** the OpenID provider for signing in to the console; null: only keys */
  oidc: OidcSettings | null
  /** OAuth clients registered with vendors; null: none */
  oauth: Record<OauthType, OauthClient | null>
  limits: Limits
}

/**
 * `prefix` is empty or ends with a slash; `endpoint` is null for AWS itself, and `region` for the one that is usual there or that the
 * environment of AWS names.
 */
export type Bucket = { name: string; prefix: string; endpoint: string | null; region: string | null }

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string }

/** `instanceUrl`: the self-hosted instance where it is registered; null: the vendor's own service. */
export type OauthClient = {
  clientId: string
  clientSecret: string
  redirectUri: string | null
  instanceUrl?: string | null
}

type OauthType = 'HOST_A' | 'HOST_B' | 'BOARDS_TRACKER' | 'TASK_TRACKER'

/** All limits that callers are subject to; sizes in bytes. */
export type Limits = {
  documentBytes: number
  documentTokens: number
  documentDepth: number
  documentAliases: number
  documentCost: number
  pageSize: number
  requestsPerMinute: number
  jsonBytes: number
  inlineUploadBytes: number
  filesPerRequest: number
  attachmentBytes: number
  diffBytes: number
  reportBytes: number
}

/** The environment is invalid; the message lists every fault, one per line. */
export class ConfigurationError extends OperatorError {
  override readonly name = 'ConfigurationError'
}

/** Reads the configuration from environment variables; an empty value counts as unset. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const shape = Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema]))
  const given = Object.fromEntries(
    Object.entries(settings).map(([name, { initial }]) => [name, environment[name] || initial]),
  )
  const read = z.object(shape).safeParse(given)
  const faults = (read.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  faults.push(...missingHalves(given))
  if (!read.success || faults.length > 0) {
    throw new ConfigurationError(`The configuration cannot be used:\n${faults.join('\n')}`)
  }
  const value = read.data as Settings
  return {
    host: value.HOST,
    port: value.PORT,
    data: value.MERLON_DATA,
    bucket: bucketOf(value),
    databaseUrl: value.DATABASE_URL || null,
    publicUrl: value.MERLON_PUBLIC_URL || null,
    rootKey: value.MERLON_ROOT_KEY || null,
    previousRootKey: value.MERLON_PREVIOUS_ROOT_KEY || null,
    development: value.MERLON_DEVELOPMENT,
    trustProxy: value.MERLON_TRUST_PROXY,
    metricsToken: value.MERLON_METRICS_TOKEN || null,
    logLevel: value.LOG_LEVEL,
    databaseConnections: value.MERLON_DATABASE_CONNECTIONS,
    statementTimeout: value.MERLON_STATEMENT_TIMEOUT_MS,
    requestTimeout: value.MERLON_REQUEST_TIMEOUT_MS,
    feeds: {
      epss: value.MERLON_EPSS_URL || null,
      kev: value.MERLON_KEV_URL || null,
      advisories: value.MERLON_ADVISORIES_URL,
    },
    outbound: value.MERLON_OUTBOUND_ALLOW,
    scanTargets: value.MERLON_SCAN_ALLOW,
    scanListener: value.MERLON_SCAN_LISTENER,
    mail: value.MERLON_SMTP_URL === '' ? null : { url: value.MERLON_SMTP_URL, from: value.MERLON_MAIL_FROM },
    oidc: oidcSettings(value),
    oauth: {
      HOST_A: oauthClient(value, 'HOST_A'),
      HOST_B: oauthClient(value, 'HOST_B'),
      BOARDS_TRACKER: oauthClient(value, 'BOARDS_TRACKER'),
      TASK_TRACKER: oauthClient(value, 'TASK_TRACKER'),
    },
    limits: {
      documentBytes: value.MERLON_DOCUMENT_BYTES,
      documentTokens: value.MERLON_DOCUMENT_TOKENS,
      documentDepth: value.MERLON_DOCUMENT_DEPTH,
      documentAliases: value.MERLON_DOCUMENT_ALIASES,
      documentCost: value.MERLON_DOCUMENT_COST,
      pageSize: value.MERLON_PAGE_SIZE,
      requestsPerMinute: value.MERLON_REQUESTS_PER_MINUTE,
      jsonBytes: value.MERLON_JSON_BYTES,
      inlineUploadBytes: value.MERLON_INLINE_UPLOAD_BYTES,
      filesPerRequest: value.MERLON_FILES_PER_REQUEST,
      attachmentBytes: value.MERLON_ATTACHMENT_BYTES,
      diffBytes: value.MERLON_DIFF_BYTES,
      reportBytes: value.MERLON_REPORT_BYTES,
    },
  }
}

function bucketOf(value: Settings): Bucket | null {
  if (value.MERLON_OBJECTS === '') return null
  const [, name = '', ...folders] = value.MERLON_OBJECTS.split(/\/+/)
  const prefix = folders.filter(Boolean).map((folder) => `${folder}/`)
  return {
    name,
    prefix: prefix.join(''),
    endpoint: value.MERLON_OBJECTS_ENDPOINT || null,
    region: value.MERLON_OBJECTS_REGION || null,
  }
}

/** The faults of settings that are empty although one that needs them is set. */
const missingHalves = (given: Record<string, string | undefined>): string[] =>
  settingPairs.flatMap(([one, other]) => {
    if (Boolean(given[one]) === Boolean(given[other])) return []
    return given[one] ? `${other}: must be set where ${one} is` : `${one}: must be set where ${other} is`
  })

function oidcSettings(value: Settings): OidcSettings | null {
  const issuer = value.MERLON_OIDC_ISSUER
  const clientId = value.MERLON_OIDC_CLIENT_ID
  return issuer === '' ? null : { issuer, clientId, clientSecret: value.MERLON_OIDC_CLIENT_SECRET }
}

function oauthClient(value: Settings, type: OauthType) {
  const [clientId, clientSecret] = [value[`MERLON_${type}_CLIENT_ID`], value[`MERLON_${type}_CLIENT_SECRET`]]
  if (clientId === '') return null
  const instanceUrl = type === 'HOST_B' ? value.MERLON_HOST_B_INSTANCE_URL.replace(/\/$/, '') || null : null
  return { clientId, clientSecret, redirectUri: value.MERLON_OAUTH_REDIRECT_URL || null, instanceUrl }
}
