// Extracts CWE numbers from the texts of a category or a pattern.

/** The distinct numbers after `CWE-` in the texts, and texts that are just a number, in ascending order; up to five digits each. */
export function cwesIn(texts: readonly (string | null | undefined)[]): number[] {
  const found = new Set<number>()
  for (const text of texts) {
    if (!text || !/cwe|^\d/i.test(text)) continue
    for (const [, digits] of text.slice(0, 1000).matchAll(/\bCWE[-_: ]?(\d{1,5})\b/gi)) found.add(Number(digits))
    if (/^\d{1,5}$/.test(text)) found.add(Number(text))
  }
  found.delete(0)
  return [...found].sort((left, right) => left - right)
}
