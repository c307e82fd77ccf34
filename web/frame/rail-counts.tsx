// What waits behind sections of the rail: findings that are new since the last visit, and scans that run; each leads to its list.

import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useAsk } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { openStatuses } from '../ui/status.tsx'
import { lastVisit } from '../util/last-visit.ts'
import { to } from '../util/path-builder.ts'
import { agoInFull, count } from '../util/words.ts'
import styles from './rail-counts.module.css'

const RailCounts = graphql(`
  query RailCounts($companyId: ID!, $fresh: IssuesFiltersInput) {
    issues(companyId: $companyId, filters: $fresh, pagination: { perPage: 1 }) {
      metadata { totalCount totalCountIsExact }
    }
    scanHistories(companyId: $companyId, filters: { statuses: [RUNNING, PENDING] }, pagination: { perPage: 1 }) {
      metadata { totalCount }
    }
  }
`)

/** Milliseconds for which the page itself comes first. */
const LATER = 1_000
/** Milliseconds after which somebody who goes on or comes back is told anew; nobody is while nothing is done. */
const OLD = 60_000
const WEEK = 7 * 86_400_000

type RailCount = { path: string; words: string; text: string }

export type CountsOfSections = { Findings?: RailCount; Scans?: RailCount }

/** By the name of the section. */
export function useRailCounts(companyId: string): CountsOfSections {
  const [since, setSince] = useState<string | null>(null)
  useEffect(() => {
    const from = lastVisit(companyId) ?? new Date(Date.now() - WEEK).toISOString()
    const timer = setTimeout(() => setSince(from), LATER)
    return () => clearTimeout(timer)
  }, [companyId])
  const { data, again } = useAsk(
    RailCounts,
    { companyId, fresh: { statuses: [...openStatuses], createdAtRange: { startDate: since } } },
    { pause: since === null, affectedBy: ['Issue', 'ControlSyncStatus'] },
  )
  useLooks(again)
  if (data === undefined || since === null) return {}
  const { totalCount: fresh, totalCountIsExact } = data.issues.metadata
  const { totalCount: running } = data.scanHistories.metadata
  const freshText = `${count(fresh)}${totalCountIsExact ? '' : '+'}`
  return {
    ...(fresh > 0 && {
      Findings: {
        path: to.findings({ companyId }, new URLSearchParams({ since })),
        words: `${freshText} new since ${agoInFull(Date.parse(since), Date.now())}`,
        text: freshText,
      },
    }),
    ...(running > 0 && {
      Scans: {
        path: to.scans({ companyId }, 'state=PENDING,RUNNING'),
        words: `${count(running)} running or queued`,
        text: count(running),
      },
    }),
  }
}

/** Calls where somebody goes to another page or comes back to this one, once what is known is old. */
function useLooks(again: () => Promise<void>): void {
  const { pathname } = useLocation()
  const asked = useRef(Date.now())
  useEffect(() => {
    const look = () => {
      if (pathname === '' || document.visibilityState === 'hidden' || Date.now() - asked.current < OLD) return
      asked.current = Date.now()
      void again()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [pathname, again])
}

export const CountLink = ({ of: { path, words, text } }: { of: RailCount }) => (
  <Link to={path} className={styles.count} title={words}>
    <span aria-hidden>{text}</span>
    <span className="heard">{words}</span>
  </Link>
)
