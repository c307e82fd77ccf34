// A bounded cache for answers that are looked up again and again.

/** As `find`, which is not called again for a text that is known; of `most` texts that are known all are let go of. */
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
