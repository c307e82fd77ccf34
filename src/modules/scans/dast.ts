// The door to the dynamic scanner: what starts a run that was just recorded.

import type { Trx } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import type { Scan } from './store.ts'
import type { ScannerConfiguration } from './store-configurations.ts'

/** Starts the run in the transaction that records it: when this throws, no run is left behind. */
export type BeginDynamicScan = (
  trx: Trx,
  context: Context,
  scan: Scan,
  configuration: ScannerConfiguration,
) => Promise<void>

export const beginDynamicScan: BeginDynamicScan = async () => {
  throw failedPrecondition('The dynamic scanner is not connected in this version')
}
