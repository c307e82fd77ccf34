// Why several reports were judged to be one finding: the evidence in words, its past places, and the reports it covers.

import { useState } from 'react'
import { Link, useOutletContext } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
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
          <Places of={identity.places} split={setSplitting} mayNot={mayNot} />
          {witnesses.length > 1 && <Witnesses of={witnesses} issueId={issueId} split={setSplitting} mayNot={mayNot} />}
          {identity.mergedFrom.length > 0 && <Merged of={identity.mergedFrom} />}
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

type Issue = ResultOf<typeof WhyOneFinding>['issue']
type Place = Issue['identity']['places'][number]
type Parts<Part> = { of: readonly Part[]; split: (splitting: Splitting) => void; mayNot: string | undefined }

function Places({ of: places, split, mayNot }: Parts<Place>) {
  return (
    <section>
      <h3>Location history</h3>
      <ol className={styles.events}>
        {places.map((place) => (
          <li key={place.id}>
            <code>{placeWords(place) || 'no file'}</code> <How place={place} />{' '}
            {places.length > 1 && (
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
                  split({
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
  )
}

/** How a finding came to a place, and when. */
function How({ place: { branch, disposition, matchedBy, deploy, at } }: { place: Place }) {
  const companyId = useCompanyId()
  return (
    <span className="muted">
      {branch ? `on ${branch}, ` : ''}
      {disposition ? `${wordsOf(disposition).toLowerCase()} ` : ''}
      {matchedBy ? `${knownBy(matchedBy)} ` : ''}
      {deploy && (
        <>
          in <Link to={to.deploy({ companyId, deployId: deploy.id })}>{deploy.currentCommit.slice(0, 10)}</Link>{' '}
        </>
      )}
      <Moment at={at} />
    </span>
  )
}

type Witness = Issue['witnesses'][number]

const Witnesses = ({ of: witnesses, issueId, split, mayNot }: Parts<Witness> & { issueId: string }) => (
  <section>
    <h3>Reported by</h3>
    <ul className={styles.places}>
      {witnesses.map(({ id, title, toolName, ruleId, isOpen, lastSeenAt }) => (
        <li key={id}>
          <span>
            {toolName ?? 'a person'} <code>{ruleId}</code>
          </span>
          <span className="muted">
            {isOpen ? 'seen' : 'gone, last seen'} {lastSeenAt && <Moment at={lastSeenAt} />}
          </span>
          {id !== issueId && (
            <Button
              size="small"
              tone="quiet"
              aria-label={`Split off what ${toolName ?? 'a person'} reports`}
              disabledReason={mayNot}
              onClick={() =>
                split({ part: { witnessId: id }, told: `What ${toolName ?? 'a person'} reports as “${title}”` })
              }
            >
              Split off…
            </Button>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const Merged = ({ of: merged }: { of: Issue['identity']['mergedFrom'] }) => (
  <section>
    <h3>Merged findings</h3>
    <ul className={styles.places}>
      {merged.map(({ id, title, reason, because, at }) => (
        <li key={id}>
          <span>
            {title} <span className="muted">({id})</span>
          </span>
          <span className="muted">
            {reason ?? wordsOf(because)} <Moment at={at} />
          </span>
        </li>
      ))}
    </ul>
  </section>
)

const knownBy = (matchedBy: string): string =>
  matchedBy === 'NEW' ? 'new here' : `matched by ${wordsOf(matchedBy).toLowerCase()}`

const toldOf = (place: { path: string | null; line: number | null; branch: string | null }): string =>
  `${placeWords(place) || 'no file'}${place.branch ? ` on ${place.branch}` : ''}`
