// The addresses of console pages that the service links to; a test checks them against the console's routes.

import type { Config } from './config.ts'
import type { Id } from './ids.ts'

type Company = { companyId: Id }

const company = ({ companyId }: Company): string => `/companies/${companyId}`

/** Paths of pages, each within a company. */
export const pages = {
  finding: ({ issueId, ...at }: Company & { issueId: Id }): string => `${company(at)}/findings/${issueId}`,
  /** The open findings of an asset, on one branch or on all. */
  findingsOf: ({ assetId, branch, ...at }: Company & { assetId: Id; branch: string | null }): string =>
    `${company(at)}/findings?${new URLSearchParams({ asset: assetId, ...(branch ? { branch } : {}) })}`,
  deploy: ({ deployId, ...at }: Company & { deployId: Id }): string => `${company(at)}/deploys/${deployId}`,
  integrations: (at: Company): string => `${company(at)}/integrations`,
}

/** The public address of the service, without trailing slashes; null if the operator has not configured it. */
const publicAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>): string | null =>
  publicUrl?.replace(/(?<!\/)\/+$/, '') ?? null

/** The same or, if not configured, the address on which the service listens. */
export function knownAddress(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return publicAddress(config) ?? `http://${host}:${config.port}`
}

/** The address of a page by its path; null if the public address is not configured. */
export function linkTo(config: Pick<Config, 'publicUrl'>, path: string): string | null {
  const address = publicAddress(config)
  return address === null ? null : `${address}${path}`
}
