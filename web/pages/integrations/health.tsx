// The health of an integration in sentences: its last call, what failed, when its token expires, and what remains of the vendor's limit.

import type { ReactNode } from 'react'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { counted, withToolNames } from '../../util/words.ts'
import type { Integration } from './documents.ts'

const DAY = 86_400_000
/** How many milliseconds before it expires a token is reported as expiring. */
const SOON = 14 * DAY

type Fares = Pick<Integration, 'brokenSince' | 'hasCredential' | 'health'>

const isLater = (one: string | null, other: string | null): boolean =>
  one !== null && (other === null || Date.parse(one) > Date.parse(other))

function standingOf({ brokenSince, hasCredential, health }: Fares): { of: Standing; word: string; says: ReactNode } {
  const { lastSuccessAt, lastFailureAt } = health
  if (brokenSince !== null) {
    return {
      of: 'bad',
      word: 'Refused',
      says: (
        <>
          Credential refused since <Moment at={brokenSince} />; replace it.
        </>
      ),
    }
  }
  if (!hasCredential) return { of: 'plain', word: 'Waiting', says: 'No credential yet.' }
  if (isLater(lastFailureAt, lastSuccessAt)) return { of: 'warned', word: 'Failing', says: 'The last request failed.' }
  return { of: 'good', word: 'Connected', says: lastSuccessAt === null && 'No requests yet.' }
}

export function Health({ of }: { of: Fares }) {
  const { lastSuccessAt, lastFailureAt, lastFailure, credentialExpiresAt, remainingRequests } = of.health
  const standing = standingOf(of)
  return (
    <>
      <p>
        <StandingWord of={standing.of}>{standing.word}</StandingWord> {standing.says}
        {lastSuccessAt !== null && (
          <span className="muted">
            {' '}
            Last successful request <Moment at={lastSuccessAt} />.
          </span>
        )}
        {remainingRequests !== null && (
          <span className="muted"> {counted(remainingRequests, 'request')} remained in the rate limit.</span>
        )}
      </p>
      {credentialExpiresAt !== null && <TokenEnd at={credentialExpiresAt} />}
      {lastFailure !== null && lastFailureAt !== null && (
        <p className={isLater(lastFailureAt, lastSuccessAt) ? 'words' : 'words muted'}>
          Last failure <Moment at={lastFailureAt} />: {withToolNames(lastFailure)}
        </p>
      )}
    </>
  )
}

function TokenEnd({ at }: { at: string }) {
  const left = Date.parse(at) - Date.now()
  const says = (
    <>
      The token {left < 0 ? 'expired' : 'expires'} <Moment at={at} />.
    </>
  )
  if (left > SOON) return <p className="muted">{says}</p>
  return (
    <p>
      <StandingWord of={left < 0 ? 'bad' : 'warned'}>{left < 0 ? 'Expired' : 'Expires soon'}</StandingWord> {says}
    </p>
  )
}
