// The type-specific part of an issue as the API shows it; stored as JSON in issue.detail, or with the occurrence.

import type { ProofRange } from '../../reports/types.ts'
import type { Facets } from './beside.ts'

const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT'] as const
const schemes = ['HTTP', 'HTTPS', 'WS', 'WSS'] as const

/** The contents of issue.detail for a finding in a component. */
type ComponentDetail = {
  package?: string | null
  affectedVersion?: string | null
  patchedVersion?: string | null
  cve?: string | null
  fileName?: string | null
  packageManager?: string | null
  purl?: string | null
  image?: string | null
}

/** The contents of issue.detail for a finding in an HTTP exchange. */
type HttpDetail = {
  method?: string | null
  scheme?: string | null
  url?: string | null
  port?: number | null
  parameters?: string | null
  request?: string | null
  response?: string | null
  proof?: readonly ProofRange[] | null
}

/** The contents of issue.detail for a finding in a network service. */
type NetworkDetail = {
  address?: string | null
  protocol?: string | null
  port?: number | null
  attackVector?: string | null
}

export const codeDetail = (facets: Facets) => ({ ...facets, flow: stepsOf(facets) })

type Step = { path: string | null; line: number | null; text: string | null }

/** The data flow in issue.detail or, without one, its two ends, which are stored separately. */
function stepsOf({ detail, source, sink }: Facets): Step[] {
  const kept = Array.isArray(detail.flow) ? (detail.flow as readonly Partial<Step>[]) : []
  if (kept.length > 0) return kept.map(({ path = null, line = null, text = null }) => ({ path, line, text }))
  return [source, sink].flatMap((told) => (told ? [toldStep(told)] : []))
}

/** Reads `path:line` followed by code, the form in which tools write an end of a flow; anything else is kept as text. */
function toldStep(told: string): Step {
  const [, path, line, text] = /^(\S{1,2000}):(\d{1,9})(?: (.*))?$/.exec(told) ?? []
  if (path === undefined || path.includes('://')) return { path: null, line: null, text: told }
  return { path, line: Number(line), text: text?.trim() || null }
}

export const componentDetail = ({ detail, fileName }: Facets): ComponentDetail => ({
  ...detail,
  fileName: fileName ?? textOf(detail.fileName),
})

export const networkDetail = ({ detail }: Facets): NetworkDetail => detail

/** The exchange; a method or scheme that the API's enums lack becomes UNKNOWN. */
export const httpDetail = ({ detail }: { detail: HttpDetail }) => ({
  ...detail,
  proof: detail.proof ?? [],
  method: wordOf(detail.method, httpMethods),
  scheme: wordOf(detail.scheme, schemes),
})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function wordOf(value: unknown, known: readonly string[]): string | null {
  if (typeof value !== 'string') return null
  return known.includes(value) ? value : 'UNKNOWN'
}
