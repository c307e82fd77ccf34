// What a tool says of a file that it could not look into, in one form whatever the tool.

import type { Row } from './types.ts'
import { headline, text } from './values.ts'

/**
 * Left out with its reason where it names no file, so that nothing counts as absent. `reason` is in the tool's words; `image` is that
 * in which the file lies.
 */
export function unseenRow(tool: string, at: string, path: unknown, reason?: string, image?: string): Row {
  const fileName = text(path)
  const said = `${tool} did not read ${fileName ?? 'a file'}${reason === undefined ? '' : `: ${reason}`}`
  const sentence = headline(text(said), `${tool} did not read a file`, 300)
  return fileName === undefined
    ? { kind: 'LEFT_OUT', at, reason: sentence }
    : { kind: 'UNSEEN_FILE', at, fileName, image, reason: sentence }
}
