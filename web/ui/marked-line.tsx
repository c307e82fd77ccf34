// A line of text with highlighted ranges, such as the evidence of a finding.

export type Mark = { from: number; to: number }

/** `at` is the offset of the line in the text to which the marks refer. */
export function MarkedLine({ line, at, marks }: { line: string; at: number; marks: readonly Mark[] }) {
  const parts: { from: number; text: string; isMarked: boolean }[] = []
  let done = 0
  for (const { from, to } of marks.toSorted((a, b) => a.from - b.from)) {
    const [first, last] = [Math.max(from - at, done), Math.min(to - at, line.length)]
    if (first >= last) continue
    parts.push({ from: done, text: line.slice(done, first), isMarked: false })
    parts.push({ from: first, text: line.slice(first, last), isMarked: true })
    done = last
  }
  parts.push({ from: done, text: line.slice(done), isMarked: false })
  return parts.map(({ from, text, isMarked }) =>
    isMarked ? <mark key={`marked ${from}`}>{text}</mark> : <span key={`plain ${from}`}>{text}</span>,
  )
}
