// The priority of a finding: its score broken down into parts, and what is known about exploitation.

import { useAsk } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { Answered } from '../../ui/answered.tsx'
import { Facts } from '../../ui/facts.tsx'
import { wordsOf } from '../../util/words.ts'
import styles from './panel.module.css'

const WorthOfFinding = graphql(`
  query WorthOfFinding($id: ID!) {
    issue(id: $id) {
      id
      cvssScore
      cvssVector
      priority {
        score
        inputs {
          isOpen
          severity { value points }
          exploitation { epss isKnownExploited points }
          exposure { value points }
          impact { value points }
          sla { value points }
        }
      }
      exploitation {
        epss
        isKnownExploited
        vulnerabilities { id epss percentile isKnownExploited isRansomware addedOn dueOn }
      }
    }
  }
`)

type Inputs = ResultOf<typeof WorthOfFinding>['issue']['priority']['inputs']

const percent = (part: number | null): string => (part === null ? 'unknown' : `${(part * 100).toFixed(1)} %`)

export function Worth({ issueId }: { issueId: string }) {
  const answer = useAsk(WorthOfFinding, { id: issueId })
  return (
    <Answered of={answer} lines={4}>
      {({ issue: { priority, exploitation, cvssScore, cvssVector } }) => (
        <div className="stack">
          <Facts
            facts={[
              { name: 'Priority', fact: <span className="number">{Math.round(priority.score)} of 100</span> },
              { name: 'CVSS', fact: cvssScore },
              { name: 'Vector', fact: cvssVector && <code>{cvssVector}</code> },
              { name: 'EPSS', fact: exploitation.epss !== null && percent(exploitation.epss) },
              { name: 'Exploited', fact: exploitation.isKnownExploited && 'known (CISA KEV)' },
            ]}
          />
          <Parts of={priority.inputs} score={priority.score} />
          {exploitation.vulnerabilities.map((known) => (
            <Facts
              key={known.id}
              facts={[
                { name: 'Vulnerability', fact: <code>{known.id}</code> },
                { name: 'EPSS', fact: `${percent(known.epss)} probability of exploitation within 30 days` },
                { name: 'In KEV since', fact: known.addedOn },
                { name: 'Ransomware', fact: known.isRansomware && 'known use' },
              ]}
            />
          ))}
        </div>
      )}
    </Answered>
  )
}

/** The table in docs/scoring.md, filled in for this finding. */
function Parts({
  of: { isOpen, severity, exploitation, exposure, impact, sla },
  score,
}: {
  of: Inputs
  score: number
}) {
  const exploited = exploitation.isKnownExploited ? 'Known to be exploited' : `EPSS ${percent(exploitation.epss)}`
  const parts = [
    { part: 'Severity', input: wordsOf(severity.value), points: severity.points },
    { part: 'Exploitation', input: exploited, points: exploitation.points },
    { part: 'Exposure', input: wordsOf(exposure.value), points: exposure.points },
    { part: 'Impact', input: wordsOf(impact.value), points: impact.points },
    { part: 'SLA', input: sla.value === null ? 'No due date' : wordsOf(sla.value), points: sla.points },
  ]
  const added = parts.slice(1).map(({ points }) => points)
  return (
    <section>
      <h3 id="score-parts">Score breakdown</h3>
      <table className={styles.parts} aria-labelledby="score-parts">
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Value</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, input, points }) => (
            <tr key={part}>
              <th scope="row">{part}</th>
              <td>{input}</td>
              <td>{points}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted number">
        {isOpen
          ? `${severity.points} × (4 + ${added.join(' + ')}) = ${score}`
          : 'Not open, so its score is 0 whatever the points.'}
      </p>
    </section>
  )
}
