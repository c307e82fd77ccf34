// Other identity rules, applied to the same scans: the id that each would give a finding.

import { createHash } from 'node:crypto'
import type { Scan } from './scans.ts'

/** The same rule on the same line of the same file. */
export const fileAndLine = ({ findings }: Scan): string[] =>
  numbered(findings.map(({ rule, path, line }) => `${rule} ${path}:${line}`))

/** The same rule on the same text in the same file; equal ones are numbered from the top. */
export const fileAndSnippet = ({ findings }: Scan): string[] =>
  numbered(findings.map(({ rule, path, text }) => `${rule} ${path} ${text.replace(/\s+/g, '')}`))

/**
 * What code hosts do for a report without fingerprints: a hash of the 100 characters from the line on, ignoring white
 * space, and the number of lines above with the same hash, together with the file and the rule.
 */
export function rollingHash({ findings, files }: Scan): string[] {
  const hashes = new Map([...files].map(([path, lines]) => [path, hashesOf(lines)]))
  return numbered(findings.map(({ rule, path, line }) => `${rule} ${path} ${hashes.get(path)?.[line - 1]}`))
}

const WINDOW = 100

function hashesOf(lines: readonly string[]): string[] {
  const seen = new Map<string, number>()
  const bare = lines.map((line) => line.replace(/[ \t]+/g, ''))
  return bare.map((_, at) => {
    let window = ''
    for (let next = at; next < bare.length && window.length < WINDOW; next++) window += `${bare[next]}\n`
    const hash = createHash('sha256').update(window.slice(0, WINDOW)).digest('hex').slice(0, 16)
    const turn = (seen.get(hash) ?? 0) + 1
    seen.set(hash, turn)
    return `${hash}:${turn}`
  })
}

/** Appends a number to findings that a rule cannot tell apart. */
function numbered(ids: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return ids.map((id) => {
    const turn = seen.get(id) ?? 0
    seen.set(id, turn + 1)
    return `${id} ${turn}`
  })
}
