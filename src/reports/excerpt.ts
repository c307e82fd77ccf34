// Code with a line number before each line: the lines that a tool reports, and those that it shows around them.

import type { CodeObservation, Excerpt } from './types.ts'

/** The code without the numbers, which `numbered` matches at the start of each line; without a number at the first one, the code as it is. */
export function excerptOf(
  text: string | undefined,
  numbered: RegExp,
): { code: string; firstLine?: number } | undefined {
  const lines = text?.replace(/\n$/, '').split('\n')
  if (lines === undefined) return undefined
  const firstLine = Number(numbered.exec(lines[0] ?? '')?.[1])
  if (!Number.isSafeInteger(firstLine)) return { code: lines.join('\n') }
  return { code: lines.map((line) => line.replace(numbered, '')).join('\n'), firstLine }
}

/**
 * The lines from `line` to `last`, by default `line` alone, as the code, and all of the excerpt around it. An excerpt that does not have the
 * line is the code as a whole. `shown` is applied to the code.
 */
export function reportedOf(
  excerpt: { code: string; firstLine?: number } | undefined,
  line: number | undefined,
  last: number | undefined,
  shown: (code: string) => string,
): Pick<CodeObservation, 'codeSnippet' | 'firstLine' | 'around'> {
  if (excerpt === undefined) return { firstLine: line }
  const { firstLine } = excerpt
  const code = shown(excerpt.code)
  const lines = code.split('\n')
  const from = line === undefined || firstLine === undefined ? -1 : line - firstLine
  if (from < 0 || from >= lines.length || line === undefined || firstLine === undefined) {
    return { codeSnippet: code, firstLine: firstLine ?? line }
  }
  const reported = lines.slice(from, Math.max(from, (last ?? line) - firstLine) + 1)
  if (reported.length === lines.length) return { codeSnippet: code, firstLine }
  const around: Excerpt = { code, firstLine }
  return { codeSnippet: reported.join('\n'), firstLine: line, around }
}
