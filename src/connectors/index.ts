// The list of connectors: one line adds one.

import type { Connector, ConnectorType } from './types.ts'

export const connectors: Partial<Record<ConnectorType, Connector>> = {}
