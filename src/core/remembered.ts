// A bounded cache for repeated look-ups.

/** Caches `find` by text; when `most` texts are cached, the cache is cleared. */
export function remembered<Answer extends NonNullable<unknown>>(
  most: number,
  find: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const answer = find(text)
    if (known.size >= most) known.clear()
    known.set(text, answer)
    return answer
  }
}
