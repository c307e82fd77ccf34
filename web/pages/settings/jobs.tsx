// The worker's jobs: what runs, what waits and until when, and what was given up and why, with a button to retry it.

import { useEffect, useMemo } from 'react'
import { useChange } from '../../api/ask.ts'
import { type EnumOf, graphql, type ResultOf } from '../../api/graphql.ts'
import { type Session, useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import type { Column } from '../../table/column.ts'
import { Facet } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { someOf, useUrlState } from '../../util/url-state.ts'
import { count, countedUpTo, wordsOf } from '../../util/words.ts'
import { inSettings } from './crumbs.ts'

const Jobs = graphql(`
  query Jobs($states: [JobState!], $after: String) {
    jobs(states: $states, pagination: { perPage: 100, after: $after }) {
      collection { id task state attempts maxAttempts lastError runAt createdAt }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

type JobRow = ResultOf<typeof Jobs>['jobs']['collection'][number]

const RetryJob = graphql(`
  mutation RetryJobHere($input: RetryJobInput!) {
    retryJob(input: $input) { job { id } }
  }
`)

type State = EnumOf<'JobState'>

const states = ['RUNNING', 'WAITING', 'GIVEN_UP'] as const satisfies readonly State[]

const tones: Record<State, Standing> = { RUNNING: 'running', WAITING: 'waiting', GIVEN_UP: 'bad' }

const shape = { state: someOf(states) }

/** The polling interval in milliseconds while a job runs or is about to. */
const LOOK = 2_000

/** Why the jobs of the whole installation are hidden; undefined if they are shown. */
const whyNotShown = (session: Session | null): string | undefined =>
  session?.isAdministrator && session.roles === null
    ? undefined
    : 'Jobs cover the whole installation; only administrators can see them.'

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNotShown(session)
  if (mayNot === undefined) return <AllJobs companyId={companyId} />
  return (
    <Page title="Jobs" crumbs={inSettings(companyId)}>
      <Empty title={mayNot} />
    </Page>
  )
}

function AllJobs({ companyId }: { companyId: string }) {
  const [{ state }, setState] = useUrlState(shape)
  const list = useList(Jobs, { states: state.length > 0 ? [...state] : undefined }, ({ jobs }) => jobs)
  const { again } = list
  const isAnyMoving = list.rows.some(isMoving)
  useEffect(() => {
    if (!isAnyMoving) return
    const timer = setInterval(() => void again(), LOOK)
    return () => clearInterval(timer)
  }, [isAnyMoving, again])
  const columns = useColumns(again)
  return (
    <Page
      title="Jobs"
      crumbs={inSettings(companyId)}
      isFilled
      count={list.total && countedUpTo(list.total, 'job')}
      filters={
        <Facet
          name="State"
          options={states}
          chosen={state}
          onChange={(chosen) => setState({ state: chosen })}
          show={wordsOf}
        />
      }
    >
      <ListTable<JobRow>
        label="Jobs"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ task }) => task}
        empty={
          state.length > 0 ? (
            <Empty title="No jobs in this state">
              <ButtonLink to={to.jobs({ companyId })}>Show all jobs</ButtonLink>
            </Empty>
          ) : (
            <Empty title="No jobs">
              <p>Running, waiting and given-up jobs appear here. Completed jobs are not kept.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

const isMoving = ({ state, runAt }: JobRow): boolean =>
  state === 'RUNNING' || (state === 'WAITING' && Date.parse(runAt) <= Date.now())

function useColumns(again: () => Promise<void>): Column<JobRow>[] {
  const change = useChange()
  return useMemo(() => {
    const retry = async ({ id, task }: JobRow) => {
      await change(RetryJob, { input: { id } })
      say(`${task} queued for retry.`)
      await again()
    }
    return [
      {
        id: 'state',
        header: 'State',
        meta: { width: '100px' },
        cell: ({ row: { original } }) => (
          <StandingWord of={tones[original.state]}>{wordsOf(original.state)}</StandingWord>
        ),
      },
      {
        id: 'task',
        header: 'Job',
        meta: { width: 'clamp(110px, 18cqi, 220px)', isSentence: true },
        cell: ({ row }) => <span className="code">{row.original.task}</span>,
      },
      {
        id: 'why',
        header: 'Last error',
        meta: { isSentence: true },
        cell: ({ row }) => row.original.lastError,
      },
      {
        id: 'attempts',
        header: 'Tries',
        meta: { width: '76px', isNumber: true, isExtra: true },
        cell: ({ row: { original } }) => `${count(original.attempts)} of ${count(original.maxAttempts)}`,
      },
      {
        id: 'next',
        header: 'Next try',
        meta: { width: '104px', isExtra: true },
        cell: ({ row: { original } }) => <Next of={original} />,
      },
      {
        id: 'made',
        header: 'Created',
        meta: { width: '104px', isExtra: true, isLast: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
      {
        id: 'retry',
        header: () => <span className="heard">Actions</span>,
        meta: { width: '116px' },
        cell: ({ row: { original } }) => (
          <ActionButton
            size="small"
            aria-label={`Retry now: ${original.task}, job ${original.id}`}
            disabledReason={original.state === 'RUNNING' ? 'Already running.' : undefined}
            action={() => retry(original)}
          >
            Retry now
          </ActionButton>
        ),
      },
    ]
  }, [change, again])
}

function Next({ of: { state, runAt } }: { of: JobRow }) {
  if (state === 'GIVEN_UP') return <span className="muted">never</span>
  if (state === 'RUNNING') return <span className="muted">now</span>
  return <Moment at={runAt} />
}
