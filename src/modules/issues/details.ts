// The part of an issue that only its type has, as the API shows it; kept as JSON in issue.detail, or with the occurrence.

import type { Facets } from './beside.ts'

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT'] as const
const schemes = ['HTTP', 'HTTPS', 'WS', 'WSS'] as const

/** What issue.detail holds of a finding in a component. */
export type ComponentDetail = {
  package?: string | null
  affectedVersion?: string | null
  patchedVersion?: string | null
  cve?: string | null
  fileName?: string | null
  packageManager?: string | null
  purl?: string | null
  image?: string | null
}

/** What issue.detail holds of a finding in an HTTP exchange. */
export type HttpDetail = {
  method?: string | null
  scheme?: string | null
  url?: string | null
  port?: number | null
  parameters?: string | null
  request?: string | null
  response?: string | null
}

/** What issue.detail holds of a finding in a network service. */
export type NetworkDetail = {
  address?: string | null
  protocol?: string | null
  port?: number | null
  attackVector?: string | null
}

export const codeDetail = (facets: Facets) => facets

export const componentDetail = ({ detail, fileName }: Facets): ComponentDetail => ({
  ...detail,
  fileName: fileName ?? textOf(detail.fileName),
})

export const networkDetail = ({ detail }: Facets): NetworkDetail => detail

/** The exchange; a method or scheme that the API has no word for is UNKNOWN. */
export const httpDetail = ({ detail }: Facets): HttpDetail => ({
  ...detail,
  method: wordOf(detail.method, httpMethods),
  scheme: wordOf(detail.scheme, schemes),
})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function wordOf(value: unknown, known: readonly string[]): string | null {
  if (typeof value !== 'string') return null
  return known.includes(value) ? value : 'UNKNOWN'
}
