// Keeps secrets out of what is read of a report: what a scanner found to be a secret is never kept whole.

import { headline } from './values.ts'

/** Shorter ones show nothing of themselves. */
const LONGEST_HIDDEN = 12

/** The first 3 and last 2 characters of a secret longer than 12, stars for the rest; only stars for a shorter one. */
export const masked = (secret: string): string =>
  secret.length > LONGEST_HIDDEN
    ? `${secret.slice(0, 3)}*****${secret.slice(-2)}`
    : '*'.repeat(Math.min(secret.length, 8))

/** Of what a scanner calls a secret: some write a sentence, some only the name of its kind. */
export const secretTitle = (said: string | undefined): string =>
  said !== undefined && said.split(/\s+/).length > 4
    ? headline(said, said)
    : `Secret in the repository: ${headline(said, 'unknown', 150)}`

/** Code in which a scanner marked a secret; where the mark is not in it, all that could be one is masked. */
export function hiddenIn(value: string | undefined, secret: string | undefined): string | undefined {
  const kept = withoutSecrets(value, [secret])
  return kept === undefined || kept !== value ? kept : maskedCode(kept)
}

/** A text with each of the secrets in it masked. Those of fewer than 4 characters stand in too many words. */
export function withoutSecrets(
  value: string | undefined,
  secrets: readonly (string | undefined)[],
): string | undefined {
  let kept = value
  for (const secret of secrets.flatMap(shapesOf)) kept = kept?.replaceAll(secret, masked(secret))
  return kept
}

/** A secret stands in a report as it is, within white space or without, escaped for JSON, or line by line. */
function shapesOf(secret: string | undefined): string[] {
  if (secret === undefined) return []
  const escaped = JSON.stringify(secret).slice(1, -1)
  const lines = secret.split(/\r?\n/)
  const shapes = [secret, secret.trim(), escaped, ...(lines.length > 1 ? lines.map((line) => line.trim()) : [])]
  return [...new Set(shapes)].filter((shape) => shape.length >= 4).slice(0, 500)
}

/**
 * Code around a secret that is not marked in it: every word of six characters or more that is not a name being assigned to
 * is masked. Words are what stands between white space, quotes, brackets and signs.
 */
export const maskedCode = (value: string): string =>
  value.replace(WORD, (word) => (isMasked.test(word) ? word : masked(word)))

const WORD =
  /(?<![^\s"'`<>=:,;()[\]{}])[^\s"'`<>=:,;()[\]{}]{6,}(?![^\s"'`<>=:,;()[\]{}])(?!["'`\]]?[ \t]{0,20}(?::=|:|=>|=)(?!=)[ \t"'`A-Za-z0-9])/g

/** What is masked already, here or by the scanner. */
const isMasked = /^(?:.{0,3}\*{5}.{0,2}|\*+|REDACTED)$/

/** A weakness that is a secret in the code: hard-coded credentials, password, key. */
export const isSecretWeakness = (cweIds: readonly number[] | undefined): boolean =>
  (cweIds ?? []).some((cwe) => cwe === 259 || cwe === 321 || cwe === 798)
