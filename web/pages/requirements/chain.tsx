// The chain of a requirement as a graph: attack patterns, the weaknesses that they exploit, and the findings with those weaknesses.

import { linkHorizontal } from 'd3-shape'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { to } from '../../util/path-builder.ts'
import { count } from '../../util/words.ts'
import type { CheckDetail } from './documents.ts'
import { patternOf } from './pattern.ts'
import styles from './requirements.module.css'
import { HEAD, stacked } from './stacked.ts'
import { weaknessesOf } from './weaknesses.ts'

/** In pixels: the preferred and the minimum width of a node, and the gap between columns. */
const ROOMY = 220
const LEAST = 96
const GAP = 32
/** Below this width, as on a phone, the gaps shrink so that all three columns stay visible. */
const NARROW = 480
const SMALL_GAP = 18

type Node = { key: string; text: string; path?: string }
type Edge = { from: number; to: number; weight: number }

const link = linkHorizontal()

/** Weaknesses without findings are collapsed into one node, so that the relevant ones stand out. */
function laid(checks: readonly CheckDetail[], companyId: string) {
  const patterns: Node[] = checks.map((check) => ({ key: check.id, text: patternOf(check) }))
  const weaknesses: Node[] = []
  const findings: Node[] = []
  const left: Edge[] = []
  const right: Edge[] = []
  const place = (nodes: Node[], node: Node): number => {
    const known = nodes.findIndex(({ key }) => key === node.key)
    return known >= 0 ? known : nodes.push(node) - 1
  }
  for (const [from, check] of checks.entries()) {
    const used = new Set(check.findings.collection.flatMap(({ cweIds }) => cweIds.map(String)))
    const shown = check.cwes.filter(({ id }) => used.has(id))
    const others = check.cwes.length - shown.length
    for (const { id } of shown) {
      const at = place(weaknesses, { key: id, text: `CWE-${id}`, path: to.findings({ companyId }, `cwe=${id}`) })
      const having = check.findings.collection.filter(({ cweIds }) => cweIds.map(String).includes(id))
      left.push({ from, to: at, weight: having.length })
      for (const finding of having) {
        const end = place(findings, {
          key: finding.id,
          text: finding.title,
          path: to.finding({ companyId, issueId: finding.id }),
        })
        right.push({ from: at, to: end, weight: 1 })
      }
    }
    // only some of the findings are loaded; which weaknesses the rest have is not known here
    const unnamed = check.openFindings - check.findings.collection.length
    if (others > 0) {
      const text = unnamed > 0 ? `${others} others` : `${others} without findings`
      const at = place(weaknesses, { key: `o${check.id}`, text })
      left.push({ from, to: at, weight: 0 })
    }
    if (unnamed > 0) {
      place(findings, {
        key: `m${check.id}`,
        // several patterns can share these findings, and each has a node of its own that links to its own list
        text: check.capecId === null ? `${count(unnamed)} more` : `${count(unnamed)} more of CAPEC-${check.capecId}`,
        path: to.findings({ companyId }, weaknessesOf(check)),
      })
    }
  }
  return { patterns, weaknesses, findings, left, right }
}

export function Chain({ checks }: { checks: readonly CheckDetail[] }) {
  const companyId = useCompanyId()
  const { patterns, weaknesses, findings, left, right } = laid(checks, companyId)
  const [seen, setSeen] = useState(3 * ROOMY)
  const measured = useCallback((section: HTMLElement) => {
    const observer = new ResizeObserver(([entry]) => setSeen(entry?.contentRect.width ?? 3 * ROOMY))
    observer.observe(section)
    return () => observer.disconnect()
  }, [])
  const gap = seen < NARROW ? SMALL_GAP : GAP
  const wide = Math.min(ROOMY, Math.max(LEAST, Math.floor((seen - 2 * gap) / 3)))
  const lane = (index: number) => index * (wide + gap)
  const columns = [patterns, weaknesses, findings].map((nodes) => stacked(nodes, wide))
  const height = Math.max(...columns.map((column) => column.bottom))
  const middle = (column: number, index: number) => {
    const { top = HEAD, tall = 0 } = columns[column]?.boxes[index] ?? {}
    return top + tall / 2
  }
  const edge = (edges: readonly Edge[], from: number) =>
    edges.map(({ from: start, to: end, weight }) => (
      <path
        key={`${from} ${start} ${end}`}
        d={
          link({ source: [lane(from) + wide, middle(from, start)], target: [lane(from + 1), middle(from + 1, end)] }) ??
          ''
        }
        className={weight > 0 ? styles.edge : styles.faint}
        strokeWidth={Math.min(6, 1 + weight)}
      />
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section ref={measured} className={styles.chain} aria-label="Requirement graph" tabIndex={0}>
      <svg width={lane(2) + wide} height={height}>
        <title>Requirement graph</title>
        {edge(left, 0)}
        {edge(right, 1)}
        {columns.map(({ boxes }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the three columns keep their places
          <g key={index}>
            <text x={lane(index)} y={12} className={styles.heading}>
              {['Attack pattern', 'Weakness', 'Finding'][index]}
            </text>
            {boxes.map(({ node, top, tall }) => (
              <foreignObject key={node.key} x={lane(index)} y={top} width={wide} height={tall}>
                <div className={styles.node} title={node.text}>
                  <span className={styles.label}>
                    {node.path ? <Link to={node.path}>{node.text}</Link> : node.text}
                  </span>
                </div>
              </foreignObject>
            ))}
          </g>
        ))}
      </svg>
    </section>
  )
}
