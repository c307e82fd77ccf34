// Reads the part of a stored diff that concerns one file, as text to display.

import type { ObjectStore } from '../../core/objects/store.ts'
import type { Range } from '../../diff/types.ts'

/** Bytes shown of one file's diff. */
const MOST_SHOWN_BYTES = 100 * 1024

/** `isCut`: the stored diff has more. */
export type Excerpt = { text: string; isCut: boolean }

/** Reads the ranges one after another, up to the bound. */
export async function readExcerpt(objects: ObjectStore, objectKey: string, ranges: readonly Range[]): Promise<Excerpt> {
  const parts: string[] = []
  let room = MOST_SHOWN_BYTES
  for (const { start, end } of ranges) {
    if (room <= 0) return { text: parts.join(''), isCut: true }
    const wanted = Math.min(end - start, room)
    const chunks: Buffer[] = []
    for await (const chunk of objects.read(objectKey, { start, end: start + wanted - 1 })) chunks.push(chunk)
    room -= wanted
    const text = wholeLines(Buffer.concat(chunks), wanted < end - start)
    parts.push(withoutTrailer(text))
    if (wanted < end - start) return { text: parts.join(''), isCut: true }
  }
  return { text: parts.join(''), isCut: false }
}

/** Cuts at the end of a line, so that no character is split; a single long line is left as it is. */
function wholeLines(bytes: Buffer, isCut: boolean): string {
  const newline = isCut ? bytes.lastIndexOf(10) : -1
  return bytes.toString('utf8', 0, newline < 0 ? bytes.length : newline + 1)
}

/** Drops what follows the last hunk: the next commit's header in a log, or the signature of a mail. */
function withoutTrailer(text: string): string {
  const lines = text.split('\n')
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'))
  if (firstHunk < 0) return text
  const after = lines.findIndex((line, index) => {
    if (index <= firstHunk || line === '') return false
    return line === '-- ' ? /^\d/.test(lines[index + 1] ?? '') : !/^[-+ \\@\r]/.test(line)
  })
  return after < 0
    ? text
    : `${lines
        .slice(0, after)
        .join('\n')
        .replace(/(?<!\n)\n+$/, '')}\n`
}
