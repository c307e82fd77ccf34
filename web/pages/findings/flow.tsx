// The data flow of a finding, step by step from source to sink; each step links to its place in the code.

import { useState } from 'react'
import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Button } from '../../ui/button.tsx'
import { lineIdOf } from '../../ui/code-block.tsx'
import { addressAtHost } from '../../util/code-host.ts'
import { to } from '../../util/path-builder.ts'
import { counted, placeWords } from '../../util/words.ts'
import styles from './flow.module.css'
import type { CodeOf, FindingDetail } from './panel-documents.ts'

type Step = CodeOf['flow'][number]
type Props = { code: CodeOf; asset: FindingDetail['asset'] }

/** How many steps at each end are always shown, and the fewest in between that are worth hiding. */
const ENDS = 3
const WORTH_HIDING = 3

const roleOf = (index: number, steps: number) => (index === 0 ? 'Source' : index === steps - 1 ? 'Sink' : 'Step')

export function Flow({ code, asset }: Props) {
  const [isWhole, setWhole] = useState(false)
  const { flow } = code
  const hidden = isWhole || flow.length < 2 * ENDS + WORTH_HIDING ? 0 : flow.length - 2 * ENDS
  if (flow.length < 2) return null
  return (
    <section aria-label="Data flow">
      <h3>Data flow</h3>
      <ol className={styles.steps}>
        {flow.map((step, index) => {
          if (hidden > 0 && index > ENDS && index < ENDS + hidden) return null
          return hidden > 0 && index === ENDS ? (
            <li key="hidden" className={styles.more}>
              <Button size="small" tone="quiet" onClick={() => setWhole(true)}>
                Show {counted(hidden, 'more step')}
              </Button>
            </li>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their places
            <li key={index} value={index + 1} data-role={roleOf(index, flow.length)}>
              <span className={styles.role}>{roleOf(index, flow.length)}</span>
              <span className={styles.what}>
                {step.text && <code>{step.text}</code>} <Place step={step} code={code} asset={asset} />
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Links to the line in the code above, or else at the repository's host, or else to the open findings in its file. */
function Place({ step: { path, line }, code, asset }: Props & { step: Step }) {
  const companyId = useCompanyId()
  if (path === null) return null
  const name = placeWords({ path, line })
  if (line !== null && isShown(code, path, line)) return <a href={`#${lineIdOf(line)}`}>{name}</a>
  const address = addressAtHost(asset.repoUrl, code.commitRef, { path, line })
  if (address !== null) {
    return (
      <a href={address} target="_blank" rel="noreferrer">
        {name}
      </a>
    )
  }
  const search = new URLSearchParams({ asset: asset.id, file: path })
  return (
    <Link to={to.findings({ companyId }, search)} title={`Open findings in ${path}`}>
      {name}
    </Link>
  )
}

function isShown({ fileName, codeSnippet, firstLine, vulnerableLine }: CodeOf, path: string, line: number): boolean {
  if (path !== fileName || !codeSnippet) return false
  const first = firstLine ?? vulnerableLine ?? 1
  return line >= first && line < first + codeSnippet.replace(/\n$/, '').split('\n').length
}
