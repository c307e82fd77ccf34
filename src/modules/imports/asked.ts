// What is asked of an import, read from the input of the mutation that brings the report.

import { badUserInput } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readBranchName, readName, readText } from '../../core/text.ts'
import type { UploadedFile } from '../../core/uploads.ts'
import type { ScanAsk } from '../issues/findings/service.ts'
import { LONGEST_SCOPE } from './sections.ts'
import type { Asked } from './store.ts'
import type { Wanted } from './wanted.ts'

/** In characters. */
const LONGEST_DIRECTORY = 500

export type NewReport = {
  file: UploadedFile
  companyId: Id
  assetId: Id
  format: string | null
  branchName: string | null
  commitRef: string | null
  deployId: Id | null
  controlSyncStatusId: Id | null
  scope: string | null
  closeAbsent: boolean
  confirmClose: boolean
  wanted: Wanted | null
  acceptsEmpty: boolean
  replacesComponents: boolean
  checkoutPath: string | null
  directory: string | null
}

/** What the import is asked to do, apart from its file. Throws BAD_USER_INPUT. */
export function readAsked({ companyId: _, file: __, ...given }: NewReport): Asked {
  const branchName = readBranchName(given.branchName, 'input.branchName')
  const commitRef = readText(given.commitRef?.trim() || null, 'input.commitRef', 500)
  const ask: ScanAsk = {
    assetId: given.assetId,
    deployId: given.deployId,
    commitRef: commitRef?.toLowerCase() ?? null,
    branchName,
    scanId: given.controlSyncStatusId,
    projectId: null,
  }
  return {
    ask,
    format: given.format?.trim() ? readName(given.format, 'input.format', 100).toLowerCase() : null,
    scope: given.scope?.trim() ? readName(given.scope, 'input.scope', LONGEST_SCOPE) : null,
    closeAbsent: given.closeAbsent,
    confirmClose: given.confirmClose,
    wanted: given.wanted,
    acceptsEmpty: given.acceptsEmpty,
    replacesComponents: given.replacesComponents,
    checkoutPath: readCheckoutPath(given.checkoutPath),
    directory: readDirectory(given.directory),
  }
}

function readCheckoutPath(given: string | null): string | null {
  const path = readText(given?.trim() || null, 'input.checkoutPath', LONGEST_DIRECTORY)
  if (path === null || /^(?:[A-Za-z]:)?[/\\]/.test(path)) return path
  throw badUserInput('checkoutPath is a whole path, such as /src', 'input.checkoutPath')
}

function readDirectory(given: string | null): string | null {
  const path = readText(given?.trim() || null, 'input.directory', LONGEST_DIRECTORY)
  if (path === null || !/^(?:[A-Za-z]:)?[/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path)) return path
  throw badUserInput('directory is a path below the root of the repository, such as services/api', 'input.directory')
}
