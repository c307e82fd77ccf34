// One line of text that somebody else wrote, such as a finding's, safe to print anywhere.

/** Characters of a line by default. */
export const LONGEST = 200

/** One line without control characters and invisible ones, which could move a cursor, reverse text, or end a code span. */
export function plain(text: string, longest = LONGEST): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line
}
