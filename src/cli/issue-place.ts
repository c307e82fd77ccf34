// Where a finding is, in a few words: file and line, address, or package and version.

const CODE = 'fileName vulnerableLine'
const HTTP = 'method url'
const COMPONENT = 'package affectedVersion image fileName'

const selections = {
  SastFinding: CODE,
  SecretFinding: CODE,
  IacFinding: CODE,
  MastFinding: CODE,
  SourceCodeVulnerability: CODE,
  DastFinding: HTTP,
  WebVulnerability: HTTP,
  ScaFinding: COMPONENT,
  ContainerFinding: COMPONENT,
  NetworkVulnerability: 'address port',
}

/** The fields that a query of findings selects for `placeOf`. */
export const DETAILS = Object.entries(selections)
  .map(([type, fields]) => `... on ${type} { detail { ${fields} } }`)
  .join(' ')

/** The place fields of a finding of any type; only those of its own type are set. */
export type Detail = {
  fileName?: string | null
  vulnerableLine?: number | null
  method?: string | null
  url?: string | null
  package?: string | null
  affectedVersion?: string | null
  image?: string | null
  address?: string | null
  port?: number | null
}

/** `src/a.ts:3`, `GET https://…`, `name@1.2.3`, `10.0.0.1:22`; empty if there is no place. */
export function placeOf(detail: Detail): string {
  if (detail.package) return detail.affectedVersion ? `${detail.package}@${detail.affectedVersion}` : detail.package
  if (detail.url) return detail.method ? `${detail.method} ${detail.url}` : detail.url
  if (detail.address) return detail.port ? `${detail.address}:${detail.port}` : detail.address
  if (detail.fileName) return detail.vulnerableLine ? `${detail.fileName}:${detail.vulnerableLine}` : detail.fileName
  return detail.image ?? ''
}
