// Masks secrets in reports: the value that a scanner found is never stored whole.

import { headline } from './values.ts'

/** Secrets of at most this many characters are masked completely. */
const LONGEST_HIDDEN = 12

/** The first 3 and last 2 characters of a secret longer than 12, stars for the rest; only stars for a shorter one. */
export const masked = (secret: string): string =>
  secret.length > LONGEST_HIDDEN
    ? `${secret.slice(0, 3)}*****${secret.slice(-2)}`
    : '*'.repeat(Math.min(secret.length, 8))

/** The title for a secret's kind: some scanners write a sentence, some only the name of the kind. */
export const secretTitle = (said: string | undefined): string =>
  said !== undefined && said.split(/\s+/).length > 4
    ? headline(said, said)
    : `Secret in the repository: ${headline(said, 'unknown', 150)}`

/** Masks code in which a scanner marked a secret; if the marked text is not in it, masks everything that could be a secret. */
export function hiddenIn(value: string | undefined, secret: string | undefined): string | undefined {
  const kept = withoutSecrets(value, [secret])
  return kept === undefined || kept !== value ? kept : maskedCode(kept)
}

/** Masks each of the secrets in a text. Secrets of fewer than 4 characters are skipped, because they occur in too many words. */
export function withoutSecrets(
  value: string | undefined,
  secrets: readonly (string | undefined)[],
): string | undefined {
  const longestFirst = secrets.flatMap(shapesOf).sort((left, right) => right.length - left.length)
  let kept = value
  for (const secret of longestFirst) kept = kept?.replaceAll(secret, () => masked(secret))
  return kept
}

/** The forms in which a secret occurs in a report: as it is, trimmed, escaped for JSON, or line by line. */
function shapesOf(secret: string | undefined): string[] {
  if (secret === undefined) return []
  const escaped = JSON.stringify(secret).slice(1, -1)
  const lines = secret.split(/\r?\n/)
  const shapes = [secret, secret.trim(), escaped, ...(lines.length > 1 ? lines.map((line) => line.trim()) : [])]
  return [...new Set(shapes)].filter((shape) => shape.length >= 4).slice(0, 500)
}

/**
 * Masks code around an unmarked secret: every word of at least six characters that is not the target of an assignment. Words are separated
 * by white space, quotes, brackets and punctuation.
 */
export const maskedCode = (value: string): string =>
  value.replace(WORD, (word) => (isMasked.test(word) ? word : masked(word)))

const WORD =
  /(?<![^\s"'`<>=:,;()[\]{}])[^\s"'`<>=:,;()[\]{}]{6,}(?![^\s"'`<>=:,;()[\]{}])(?!["'`\]]?[ \t]{0,20}(?::=|:|=>|=)(?!=)[ \t"'`A-Za-z0-9])/g

/** Matches text that is masked already, here or by the scanner. */
const isMasked = /^(?:.{0,3}\*{5}.{0,2}|\*+|REDACTED)$/

/** The weaknesses that mean a secret in the code: hard-coded credentials, password, key. */
export const isSecretWeakness = (cweIds: readonly number[] | undefined): boolean =>
  (cweIds ?? []).some((cwe) => cwe === 259 || cwe === 321 || cwe === 798)
