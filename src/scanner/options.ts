// The options of a scan.

import type { CallbackAddress } from '../core/callback-address.ts'
import type { Allowed } from '../core/outbound-address.ts'
import type { ScanEvents } from './outcome.ts'
import type { Budget, Identity, Profile, Scope } from './types.ts'

export type ScanOptions = {
  target: string
  /** bytes of a description: OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman, HAR; its format is told by its content */
  schema?: {
    name: string
    text: string
    /** where it was got: what it imports from the same origin is fetched; if the target itself answers GraphQL there, it is asked for its schema */
    url?: string
    /** what the address answered instead of a description */
    status?: number
  } | null
  /** null: told by the description and by what the target answers */
  format?: SeedFormat | null
  profile: Profile
  identities: readonly Identity[]
  scope?: Partial<Scope>
  budget?: Partial<Budget>
  /** checks to run; all of the profile when left out */
  checks?: readonly string[]
  /** operations that delete, log out, reset or change passwords are sent too */
  allowDestructive?: boolean
  /** links and forms of the target's pages are followed; without it a description alone says what is there */
  crawl?: boolean
  /** a Chromium is used when there is one */
  browser?: boolean
  /** where the target reaches this scanner (port 0: any); without it nothing is out of band */
  listener?: CallbackAddress | null
  /** private addresses that may be called, beside the target's own host */
  allowed?: Allowed
  /** the value of the X-Scan-Id header */
  scanId?: string
  signal?: AbortSignal
  events?: ScanEvents
}

export type SeedFormat = 'OPENAPI' | 'GRAPHQL' | 'SOAP' | 'POSTMAN' | 'HAR'
