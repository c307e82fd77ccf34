// The addresses of the console's pages that the service links to; a test holds them to the console's own routes.

import type { Config } from './config.ts'
import type { Id } from './ids.ts'

type Company = { companyId: Id }

const company = ({ companyId }: Company): string => `/companies/${companyId}`

/** Paths of pages, each of one company. */
export const pages = {
  finding: ({ issueId, ...at }: Company & { issueId: Id }): string => `${company(at)}/findings/${issueId}`,
  /** The open findings of an asset: on one branch or, without its name, wherever they are. */
  findingsOf: ({ assetId, branch, ...at }: Company & { assetId: Id; branch: string | null }): string =>
    `${company(at)}/findings?${new URLSearchParams({ asset: assetId, ...(branch ? { branch } : {}) })}`,
  deploy: ({ deployId, ...at }: Company & { deployId: Id }): string => `${company(at)}/deploys/${deployId}`,
  integrations: (at: Company): string => `${company(at)}/integrations`,
}

/** The address that people reach the service under, without slashes at its end; null where the operator named none. */
const publicAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>): string | null =>
  publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null

/** The same or, where none was named, the address that it listens at. */
export function knownAddress(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return publicAddress(config) ?? `http://${host}:${config.port}`
}

/** The address of a page by its path; null where the operator named none for the service. */
export function linkTo(config: Pick<Config, 'publicUrl'>, path: string): string | null {
  const address = publicAddress(config)
  return address === null ? null : `${address}${path}`
}
