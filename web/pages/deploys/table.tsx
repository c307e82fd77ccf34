// A table of deploys, newest first, each with its verdict and what it did to findings.

import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { ListTable } from '../../table/list-table.tsx'
import { type List, useList } from '../../table/use-list.ts'
import { ButtonLink, Hint } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Decision, Verdict } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { count, counted, withGateWords, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import { type DeployRow, Deploys } from './documents.ts'

type Asked = {
  companyId: string
  /** Empty means all assets. */
  assetIds: readonly string[]
  /** Only deploys with one of these gate decisions; empty means all. */
  decisions: readonly Decision[]
}

export const useDeploys = ({ companyId, assetIds, decisions }: Asked): List<DeployRow> =>
  useList(Deploys, { companyId, assetIds: [...assetIds], decisions: [...decisions] }, ({ deploys }) => deploys)

/** The deploys of one asset, as a part of the asset's page. */
export function DeploysOfAsset({ companyId, assetId }: { companyId: string; assetId: string }) {
  const asked: Asked = { companyId, assetIds: [assetId], decisions: [] }
  return <DeployTable {...asked} list={useDeploys(asked)} />
}

/** `isFilled` is whether the table fills its page. */
type Props = Asked & { list: List<DeployRow>; isFilled?: boolean }

export function DeployTable({ companyId, assetIds, decisions, list, isFilled = false }: Props) {
  const navigate = useNavigate()
  const columns = useColumns(companyId, assetIds.length === 1)
  return (
    <ListTable<DeployRow>
      isPart={!isFilled}
      label="Deploys"
      list={list}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ currentCommit }) => currentCommit}
      onOpen={({ id }) => navigate(to.deploy({ companyId, deployId: id }))}
      empty={
        decisions.length > 0 ? (
          <Empty title="No deploys match the filters">
            <ButtonLink to={to.deploys({ companyId })}>Show all deploys</ButtonLink>
          </Empty>
        ) : (
          <Empty title="No deploys yet" command={`merlon deploy create --asset ${assetIds[0] ?? '<id>'}`}>
            <p>
              Send the diff of each deploy from your pipeline: findings are tracked through it, and the gate answers.
            </p>
          </Empty>
        )
      }
    />
  )
}

function useColumns(companyId: string, isOfOne: boolean): Column<DeployRow>[] {
  return useMemo(() => {
    const all: (Column<DeployRow> & { isShown?: boolean })[] = [
      {
        id: 'verdict',
        header: 'Gate',
        meta: { width: 'clamp(98px, 15cqi, 116px)' },
        cell: ({ row: { original } }) => (
          <Hint text={withGateWords(original.gate.sentence)}>
            <span>
              <Verdict of={original.gate.decision} isJudged={original.gate.isJudged} />
            </span>
          </Hint>
        ),
      },
      {
        id: 'commit',
        header: 'Commit',
        meta: isOfOne ? { least: 116, isSentence: true } : { width: 'clamp(104px, 12cqi, 116px)' },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.deploy({ companyId, deployId: original.id })} tabIndex={-1} className="code">
              {original.currentCommit.slice(0, 10)}
            </Link>
            {isOfOne && <Sent of={original} />}
          </>
        ),
      },
      {
        id: 'asset',
        header: 'Asset',
        meta: { isSentence: true },
        isShown: !isOfOne,
        cell: ({ row: { original } }) => (
          <>
            {original.asset.name}
            <Sent of={original} />
          </>
        ),
      },
      {
        id: 'branch',
        header: 'Branch',
        meta: { width: 'clamp(120px, 14cqi, 240px)', isExtra: true },
        cell: ({ row }) => <span className="code">{row.original.branchName}</span>,
      },
      {
        id: 'size',
        header: 'Diff',
        meta: { width: '190px', isExtra: true, isNumber: true, isLast: true },
        cell: ({ row: { original } }) => <Size of={original} />,
      },
      {
        id: 'carried',
        header: 'Existing findings',
        meta: { width: 'clamp(220px, 24cqi, 340px)', isExtra: true, isNumber: true },
        cell: ({ row: { original } }) => <Existing of={original} />,
      },
      {
        id: 'status',
        header: 'Review',
        meta: { width: 'clamp(76px, 11cqi, 100px)', isSpare: true },
        cell: ({ row }) => wordsOf(row.original.status),
      },
      {
        id: 'at',
        header: 'Sent',
        meta: { width: '112px', isExtra: true },
        cell: ({ row }) => <Moment at={row.original.createdAt} />,
      },
    ]
    return all.filter(({ isShown = true }) => isShown)
  }, [companyId, isOfOne])
}

const Sent = ({ of: { branchName, createdAt } }: { of: DeployRow }) => (
  <Beneath of={[branchName, <Moment key="at" at={createdAt} />]} />
)

type Churned = { added: number; removed: number }

export const Size = ({ of }: { of: Churned & { files: number } }) => (
  <>
    {counted(of.files, 'file')} <Churn of={of} />
  </>
)

/** How many lines were added and removed. */
export const Churn = ({ of: { added, removed } }: { of: Churned }) => (
  <>
    <span className={styles.added}>+{count(added)}</span> <span className={styles.removed}>−{count(removed)}</span>
  </>
)

/** What the deploy did to the findings that were there before, or why it says nothing of them. */
export const Existing = ({ of: { isCarried, lineage, findings } }: { of: Carrying }) =>
  isCarried ? (
    <Carried of={findings} />
  ) : (
    <span className="muted">not carried over: {whyNotCarried[lineage] ?? 'diff not read in full'}</span>
  )

type Carrying = Pick<DeployRow, 'isCarried' | 'lineage' | 'findings'>

const whyNotCarried: Partial<Record<DeployRow['lineage'], string>> = {
  FORKS: 'earlier start',
  GAP: 'unknown start',
  LATE: 'came late',
}

export function Carried({ of: { moved, renamed, touched, removed } }: { of: DeployRow['findings'] }) {
  const parts: [number, string][] = [
    [touched, 'touched'],
    [moved, 'moved'],
    [renamed, 'renamed'],
    [removed, 'removed'],
  ]
  const told = parts.filter(([many]) => many > 0).map(([many, word]) => `${count(many)} ${word}`)
  return told.length > 0 ? told.join(', ') : <span className="muted">unchanged</span>
}
