// Why several reports were judged to be one finding: the evidence in words, its past places, and the reports it covers.

import { useState } from 'react'
import { Link, useOutletContext } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { placeWords, wordsOf } from '../../util/words.ts'
import type { Beside } from './list.tsx'
import styles from './panel.module.css'
import type { Splitting } from './split.tsx'

const SplitDialog = lateDialog(() => import('./split.tsx'))

const WhyOneFinding = graphql(`
  query WhyOneFinding($id: ID!) {
    issue(id: $id) {
      id
      identity {
        evidence
        matchedBy
        places { id branch path line commit at matchedBy disposition deploy { id currentCommit } }
        mergedFrom { id title toolName at because reason mergedBy { name } }
      }
      witnesses { id toolName ruleId title isOwn isOpen lastSeenAt }
    }
  }
`)

export function WhyOne({ issueId }: { issueId: string }) {
  const companyId = useCompanyId()
  const answer = useAsk(WhyOneFinding, { id: issueId })
  const { changed } = useOutletContext<Beside>()
  const { session } = useSession()
  const [splitting, setSplitting] = useState<Splitting | null>(null)
  const mayNot = whyNot(session, companyId, 'issues:write')
  return (
    <Answered of={answer} lines={5}>
      {({ issue: { identity, witnesses } }) => (
        <div className="stack">
          <p>{identity.evidence}</p>
          <section>
            <h3>Location history</h3>
            <ol className={styles.events}>
              {identity.places.map((place) => (
                <li key={place.id}>
                  <code>{placeWords(place) || 'no file'}</code>{' '}
                  <span className="muted">
                    {place.branch ? `on ${place.branch}, ` : ''}
                    {place.disposition ? `${wordsOf(place.disposition).toLowerCase()} ` : ''}
                    {place.matchedBy ? `${knownBy(place.matchedBy)} ` : ''}
                    {place.deploy && (
                      <>
                        in{' '}
                        <Link to={to.deploy({ companyId, deployId: place.deploy.id })}>
                          {place.deploy.currentCommit.slice(0, 10)}
                        </Link>{' '}
                      </>
                    )}
                    <Moment at={place.at} />
                  </span>{' '}
                  {identity.places.length > 1 && (
                    <Button
                      size="small"
                      tone="quiet"
                      aria-label={`Split off what was reported at ${toldOf(place)}`}
                      disabledReason={
                        mayNot ??
                        (place.matchedBy === null && place.deploy !== null
                          ? 'A deploy moved it here. Split off where a tool reported it.'
                          : undefined)
                      }
                      onClick={() =>
                        setSplitting({
                          part: { placeId: place.id },
                          told: `Everything reported since it was at ${toldOf(place)}`,
                        })
                      }
                    >
                      Split off…
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          </section>
          {witnesses.length > 1 && (
            <section>
              <h3>Reported by</h3>
              <ul className={styles.places}>
                {witnesses.map((witness) => (
                  <li key={witness.id}>
                    <span>
                      {witness.toolName ?? 'a person'} <code>{witness.ruleId}</code>
                    </span>
                    <span className="muted">
                      {witness.isOpen ? 'seen' : 'gone, last seen'}{' '}
                      {witness.lastSeenAt && <Moment at={witness.lastSeenAt} />}
                    </span>
                    {witness.id !== issueId && (
                      <Button
                        size="small"
                        tone="quiet"
                        aria-label={`Split off what ${witness.toolName ?? 'a person'} reports`}
                        disabledReason={mayNot}
                        onClick={() =>
                          setSplitting({
                            part: { witnessId: witness.id },
                            told: `What ${witness.toolName ?? 'a person'} reports as “${witness.title}”`,
                          })
                        }
                      >
                        Split off…
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {identity.mergedFrom.length > 0 && (
            <section>
              <h3>Merged findings</h3>
              <ul className={styles.places}>
                {identity.mergedFrom.map((merged) => (
                  <li key={merged.id}>
                    <span>
                      {merged.title} <span className="muted">({merged.id})</span>
                    </span>
                    <span className="muted">
                      {merged.reason ?? wordsOf(merged.because)} <Moment at={merged.at} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {splitting && (
            <SplitDialog
              companyId={companyId}
              issueId={issueId}
              splitting={splitting}
              onClose={() => setSplitting(null)}
              onDone={async () => {
                await answer.again()
                setSplitting(null)
                changed()
              }}
            />
          )}
        </div>
      )}
    </Answered>
  )
}

const knownBy = (matchedBy: string): string =>
  matchedBy === 'NEW' ? 'new here' : `matched by ${wordsOf(matchedBy).toLowerCase()}`

const toldOf = (place: { path: string | null; line: number | null; branch: string | null }): string =>
  `${placeWords(place) || 'no file'}${place.branch ? ` on ${place.branch}` : ''}`
