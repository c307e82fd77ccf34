// What a finding is worth looking at for: the score taken apart, and what is known of its exploitation.

import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { Answered } from '../../ui/answered.tsx'
import { Facts } from '../../ui/facts.tsx'

const WorthOfFinding = graphql(`
  query WorthOfFinding($id: ID!) {
    issue(id: $id) {
      id
      cvssScore
      cvssVector
      priority { score sentence }
      exploitation {
        epss
        isKnownExploited
        vulnerabilities { id epss percentile isKnownExploited isRansomware addedOn dueOn }
      }
    }
  }
`)

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
              { name: 'Because', fact: priority.sentence },
              { name: 'CVSS', fact: cvssScore },
              { name: 'Vector', fact: cvssVector && <code>{cvssVector}</code> },
              { name: 'EPSS', fact: exploitation.epss !== null && percent(exploitation.epss) },
              { name: 'Exploited', fact: exploitation.isKnownExploited && 'known to be, by CISA’s list' },
            ]}
          />
          {exploitation.vulnerabilities.map((known) => (
            <Facts
              key={known.id}
              facts={[
                { name: 'Vulnerability', fact: <code>{known.id}</code> },
                { name: 'Will be exploited', fact: `${percent(known.epss)} within 30 days` },
                { name: 'On the list since', fact: known.addedOn },
                { name: 'Ransomware', fact: known.isRansomware && 'uses it' },
              ]}
            />
          ))}
        </div>
      )}
    </Answered>
  )
}
