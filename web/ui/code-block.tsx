// Source code with line numbers and a marked line; the code is only ever rendered as text.

import { useLayoutEffect, useRef } from 'react'
import styles from './code-block.module.css'
import { type Token, useColours } from './highlight.ts'
import { type Mark, MarkedLine } from './marked-line.tsx'

type Props = {
  text: string
  firstLine?: number
  markedLine?: number | null
  /** Ranges in characters of the text. */
  marks?: readonly Mark[]
  label: string
  language?: string | null
}

/** The most lines that are drawn; a longer text says that it is cut. */
const MOST_LINES = 400

/** The id of a line, for fragment links within the page. */
export const lineIdOf = (number: number): string => `line-${number}`

export function CodeBlock({ text, firstLine = 1, markedLine, marks = [], label, language = null }: Props) {
  const coloured = useColours(text, language)
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(0, MOST_LINES)
  const starts = startsOf(shown)
  const block = useRef<HTMLElement>(null)
  const firstMark = marks[0]?.from
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked depends on them
  useLayoutEffect(() => showMarked(block.current), [text, markedLine, firstMark])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={block} className={styles.block} tabIndex={0} aria-label={label}>
      <pre>
        {shown.map((line, index) => {
          const number = firstLine + index
          const isMarked = number === markedLine
          return (
            <span key={number} id={lineIdOf(number)} className={isMarked ? styles.marked : styles.line}>
              <span className={styles.number} aria-hidden>
                {number}
              </span>
              {isMarked && <span className="heard">Line of the finding: </span>}
              <span className={styles.text}>
                {marks.length > 0 ? (
                  <MarkedLine line={line} at={starts[index] ?? 0} marks={marks} />
                ) : (
                  <CodeLine line={line} tokens={coloured?.[index]} />
                )}
              </span>
              {'\n'}
            </span>
          )
        })}
        {lines.length > MOST_LINES && <span className={styles.more}>… {lines.length - MOST_LINES} more lines</span>}
      </pre>
    </section>
  )
}

/** Scrolls within the block, but not the page, so that the first marked line or part is in sight. */
function showMarked(block: HTMLElement | null): void {
  const marked = block?.querySelector(`.${styles.marked}, mark`)
  if (!block || !marked) return
  const [outer, inner] = [block.getBoundingClientRect(), marked.getBoundingClientRect()]
  block.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
  // a marked line is longer than what it marks, so that only a part says where to look
  const isPart = inner.width < outer.width && inner.right > outer.right
  if (isPart) block.scrollLeft += inner.left - outer.left - outer.width / 2
}

/** The offset of each line in the text. */
function startsOf(lines: readonly string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

/** Draws the line in colours if the tokens add up to exactly this line, otherwise as plain text. */
function CodeLine({ line, tokens }: { line: string; tokens: Token[] | undefined }) {
  if (line === '') return ' '
  if (!tokens || tokens.map(({ text }) => text).join('') !== line) return line
  return tokens.map(({ text, light, dark }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line keep their places
    <span key={index} style={light && dark ? { color: `light-dark(${light}, ${dark})` } : undefined}>
      {text}
    </span>
  ))
}
