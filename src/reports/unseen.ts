// The row for a file that a tool could not read, in one form for all tools.

import type { Row } from './types.ts'
import { headline, text } from './values.ts'

/**
 * LEFT_OUT with its reason if it names no file, so that nothing counts as absent. `reason` is in the tool's words; `image` is the image that
 * contains the file.
 */
export function unseenRow(tool: string, at: string, path: unknown, reason?: string, image?: string): Row {
  const fileName = text(path)
  const said = `${tool} did not read ${fileName ?? 'a file'}${reason === undefined ? '' : `: ${reason}`}`
  const sentence = headline(text(said), `${tool} did not read a file`, 300)
  return fileName === undefined
    ? { kind: 'LEFT_OUT', at, reason: sentence }
    : { kind: 'UNSEEN_FILE', at, fileName, image, reason: sentence }
}
