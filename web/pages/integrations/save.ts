// Saves an integration through the mutation of its kind; the server checks the credential with the tool first.

import type { useChange } from '../../api/ask.ts'
import { SaveBoardsTracker, SaveHostA, SaveHostB, SaveScannerA, SaveScannerB, SaveTaskTracker } from './documents.ts'
import { type Kind, regions } from './kinds.ts'

/** The input that all kinds share. */
type Base = { companyId: string; integrationId?: string; addAnother?: boolean }

/** The settings for scans on push, which only code hosts have. */
export type Scans = { astScansEnabled?: boolean; astBranchPattern?: string | null }

/** `given` is keyed by field name, and includes the code and state of a consent. Returns the integration's id. */
export async function saveIntegration(
  change: ReturnType<typeof useChange>,
  kind: Kind,
  base: Base,
  given: Record<string, string>,
  scans: Scans,
): Promise<string | undefined> {
  const input = { ...base, ...given }
  switch (kind) {
    case 'HOST_A':
      return (await change(SaveHostA, { input: { ...input, ...scans } })).createOrUpdateHostAIntegration?.integration.id
    case 'HOST_B':
      return (await change(SaveHostB, { input: { ...input, ...scans } })).createOrUpdateHostBIntegration?.integration.id
    case 'SCANNER_A':
      return (await change(SaveScannerA, { input })).createOrUpdateScannerAIntegration?.integration.id
    case 'SCANNER_B':
      return (await change(SaveScannerB, { input: { ...input, region: regions.find((one) => one === given.region) } }))
        .createOrUpdateScannerBIntegration?.integration.id
    case 'BOARDS_TRACKER':
      return (await change(SaveBoardsTracker, { input })).createOrUpdateBoardsTrackerIntegration?.integration.id
    case 'TASK_TRACKER':
      return (await change(SaveTaskTracker, { input })).createOrUpdateTaskTrackerIntegration?.integration.id
  }
}
