// Suggests the known word that somebody probably meant.

/** The most suggestions. */
const MOST = 3

/** At most three known words nearest to an unknown one: those that contain it, or else those with the smallest edit distance. */
function nearest(given: string, known: readonly string[]): string[] {
  const word = given.toLowerCase()
  const measured = known.map((one) => ({ one, far: one.includes(word) ? 1 : distance(word, one.toLowerCase()) }))
  const least = Math.min(...measured.map(({ far }) => far))
  if (least > Math.max(1, word.length / 3)) return []
  return measured.flatMap(({ one, far }) => (far === least ? [one] : [])).slice(0, MOST)
}

/** The Levenshtein distance. */
function distance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const now = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (before[column] ?? 0) + (letter === other ? 0 : 1)
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1))
    }
    before = now
  }
  return before[to.length] ?? 0
}

/** `; did you mean …?`, or nothing if no known word is near. */
export function guess(given: string, known: readonly string[]): string {
  const near = nearest(given, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}

/** As guess, but `; there are …` if no known word is near. */
export const offer = (given: string, known: readonly string[]): string =>
  guess(given, known) || `; there are ${known.join(', ')}`
