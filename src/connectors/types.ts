// What a connector is: one vendor's addresses, credentials and limits, and which of host, scanner and tracker it is.

import type { VendorClient } from './http.ts'
import type { RateRow } from './rates.ts'
import type { Scanner } from './scanner.ts'
import type { SourceHost } from './source-host.ts'
import type { Tracker } from './tracker.ts'

export const connectorTypes = ['HOST_A', 'HOST_B', 'SCANNER_A', 'SCANNER_B', 'BOARDS_TRACKER', 'TASK_TRACKER'] as const

export type ConnectorType = (typeof connectorTypes)[number]

/** Settings of an integration; those that its type does not have are null or empty. */
export type Settings = {
  baseUrl: string | null
  region: 'US_1' | 'US_2' | 'EU_1' | 'AU_1' | null
  instanceUrl: string | null
  organizationName: string | null
  workspaceId: string | null
  astScansEnabled: boolean
  /** an exact name or a glob; null: any branch */
  astBranchPattern: string | null
  groupIds: string[]
  workspaceIds: string[]
}

/** A credential that the vendor accepted. */
export type Credential =
  | { kind: 'KEY_PAIR'; accessKey: string; secretKey: string }
  | { kind: 'TOKEN'; token: string }
  | { kind: 'LOGIN'; email: string; token: string }
  /** `expiresAt` is ISO 8601; null: it does not expire */
  | { kind: 'OAUTH'; accessToken: string; refreshToken: string | null; expiresAt: string | null }

/** How people consent at a vendor, and how it exchanges codes and refresh tokens (RFC 6749, 4.1 and 6). */
export type OauthRow = {
  /** the https address where a person consents */
  authorizeUrl: (settings: Settings) => string
  /** further fields of its query, such as a scope */
  authorizeFields?: Readonly<Record<string, string>>
  /** Whether a code is bound to who asked for it, with S256 (RFC 7636). */
  pkce: boolean
  /** the https address of the token endpoint; another origin than `base` may be named here */
  tokenUrl: (settings: Settings) => string
  /** where the client's id and secret stand */
  client: 'basic' | 'body'
  /** further fields of both exchanges, such as a scope */
  fields?: Readonly<Record<string, string>>
}

/** What every capability gets: the client that is bound to one integration's address, credential and limits. */
export type Session = {
  client: VendorClient
  settings: Settings
  /** milliseconds since 1970, for what depends on the time */
  now: () => number
  /** waits so many milliseconds, for what a vendor takes its time over */
  sleep: (milliseconds: number) => Promise<void>
}

export type Connector = {
  type: ConnectorType
  /** as sentences to people name the vendor, such as HostA */
  name: string
  /** The https address under which its paths stand, without a slash at the end. */
  base: (settings: Settings) => string
  rates: RateRow
  /** The headers that prove who calls. */
  authorization: (credential: Credential) => Record<string, string>
  /** headers of every call besides */
  headers?: Readonly<Record<string, string>>
  /** What the vendor says in a refusal; null when it says nothing that a person could use. */
  readError?: (body: unknown) => string | null
  /** Some vendors answer a bad credential with a page to sign in, of status 200, 203 or 302. */
  pageMeansSignIn?: boolean
  /** null: it takes no codes */
  oauth: OauthRow | null
  /** One cheap call that fails when the credential is not accepted. */
  check: (session: Session) => Promise<void>
  source?: SourceHost
  scanner?: Scanner
  tracker?: Tracker
}

/** A page of what the vendor lists; `page` counts from 1. */
export type ListQuery = { search: string | null; page: number; limit: number }

/** `total` is null when the vendor does not tell; nothing is invented. `items` has `limit` entries at most. */
export type Listing<T> = { items: T[]; total: number | null }

export type Named = { id: string; name: string }
/** `branches` is empty where there are none, as in a scanner. */
export type ExternalProject = Named & { branches: string[] }
/** Who owns repositories: a workspace or a group. */
export type Owner = Named & { uuid: string }
