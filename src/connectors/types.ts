// What a connector is: one vendor's addresses, credentials and limits, and which of host, scanner and tracker it is.

import type { Spoken } from './http-request.ts'
import type { Settings } from './kinds.ts'
import type { Scanner } from './scanner.ts'
import type { Session } from './session.ts'
import type { SourceHost } from './source-host.ts'
import type { Tracker } from './tracker.ts'

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

export type Connector = Spoken & {
  /** The https address under which its paths stand, without a slash at the end. */
  base: (settings: Settings) => string
  /** null: it takes no codes */
  oauth: OauthRow | null
  /** One cheap call that fails when the credential is not accepted. */
  check: (session: Session) => Promise<void>
  source?: SourceHost
  scanner?: Scanner
  tracker?: Tracker
}
