// The list of connectors: one line adds one.

import { scannerA } from './scanner-a/connector.ts'
import { scannerB } from './scanner-b/connector.ts'
import { boardsTracker } from './boards-tracker/index.ts'
import { taskTracker } from './task-tracker/index.ts'
import type { Connector, ConnectorType } from './types.ts'

export const connectors: Partial<Record<ConnectorType, Connector>> = {
  SCANNER_A: scannerA,
  SCANNER_B: scannerB,
}
