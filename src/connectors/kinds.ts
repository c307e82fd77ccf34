// The vendors that are connected, and what an integration with one has: settings and a credential.

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
