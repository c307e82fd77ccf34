// Reads the beginning of a report, by which its format is recognised.

import { HEAD_BYTES, type ReportHead, type ReportSource } from './types.ts'

/** Reads only the beginning of the report. */
export async function headOf(source: ReportSource): Promise<ReportHead> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of source.open()) {
    parts.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES)
  return { name: source.name, text: new TextDecoder().decode(bytes) }
}

/** The first non-blank character: `<` for XML, `[` or `{` for JSON, '' for an empty report. */
export async function firstCharacter(source: ReportSource): Promise<string> {
  return (await headOf(source)).text.trimStart().slice(0, 1)
}
