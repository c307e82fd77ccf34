// The list of connectors; adding one takes one line here.

import { boardsTracker } from './boards-tracker/index.ts'
import { hostA } from './host-a/index.ts'
import { hostB } from './host-b/index.ts'
import type { ConnectorType } from './kinds.ts'
import { scannerA } from './scanner-a/connector.ts'
import { scannerB } from './scanner-b/connector.ts'
import { taskTracker } from './task-tracker/index.ts'
import type { Connector } from './types.ts'

export const connectors: Record<ConnectorType, Connector> = {
  HOST_A: hostA,
  HOST_B: hostB,
  BOARDS_TRACKER: boardsTracker,
  SCANNER_A: scannerA,
  SCANNER_B: scannerB,
  TASK_TRACKER: taskTracker,
}
