// The options of a scan.

import type { CallbackAddress } from '../core/callback-address.ts'
import type { Allowed } from '../core/outbound-address.ts'
import type { ScanEvents } from './outcome.ts'
import type { Budget, Identity, Profile, Scope } from './types.ts'

export type ScanOptions = {
  target: string
  /** a description of the target: OpenAPI, Swagger, GraphQL (SDL or introspection), WSDL, Postman, or HAR */
  schema?: {
    name: string
    text: string
    /** its address: documents that it imports from the same origin are fetched, and a GraphQL endpoint there is asked for its schema */
    url?: string
    /** the status with which the address responded instead of a description */
    status?: number
  } | null
  /** null: detected from the description, or from the target's responses */
  format?: SeedFormat | null
  profile: Profile
  identities: readonly Identity[]
  scope?: Partial<Scope>
  budget?: Partial<Budget>
  /** the checks to run; by default all of the profile */
  checks?: readonly string[]
  /** whether to send operations that delete, log out, reset or change passwords */
  allowDestructive?: boolean
  /** whether to follow links and forms of the target's pages; if false, only the description names operations */
  crawl?: boolean
  /** whether to use a local Chromium, if there is one */
  browser?: boolean
  /** where the target can reach this scanner (port 0: any); without it there are no out-of-band checks */
  listener?: CallbackAddress | null
  /** private addresses that may be called, besides the target's own host */
  allowed?: Allowed
  /** the value of the X-Scan-Id header */
  scanId?: string
  signal?: AbortSignal
  events?: ScanEvents
}

export type SeedFormat = 'OPENAPI' | 'GRAPHQL' | 'SOAP' | 'POSTMAN' | 'HAR'
