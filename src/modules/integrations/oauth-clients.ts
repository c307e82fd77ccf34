// Which of the operator's OAuth clients a connector uses.

import type { OauthClient } from '../../connectors/oauth.ts'
import type { Connector, OauthRow } from '../../connectors/types.ts'
import type { Config } from '../../core/config.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Settings } from './kinds.ts'

/** How codes and refresh tokens are exchanged; FAILED_PRECONDITION if the operator has no client for the vendor. */
export function requireOauth(
  connector: Connector,
  { oauth }: Config,
  settings: Settings,
): { row: OauthRow; client: OauthClient } {
  const { type, name } = connector
  const client = type === 'SCANNER_A' || type === 'SCANNER_B' ? null : oauth[type]
  if (connector.oauth && client) {
    const registered = connector.base({ ...settings, instanceUrl: client.instanceUrl ?? null })
    // the client's secret is sent only to the host where the operator registered it
    if (registered === connector.base(settings)) return { row: connector.oauth, client }
    throw failedPrecondition(`The OAuth client of ${name} is registered at another address; give a token`)
  }
  throw failedPrecondition(`No OAuth client of ${name} is configured in this installation; give a token`)
}
