// The page of requirements: a table with a column for each state of their checks, or the whole threat model as one matrix.

import { useMemo, useState } from 'react'
import { Link, Outlet, useNavigate, useParams } from 'react-router'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Beneath } from '../../table/beneath.tsx'
import type { Column } from '../../table/column.ts'
import { SearchBox } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Empty } from '../../ui/empty.tsx'
import { latePart } from '../../ui/late.tsx'
import { useKeys } from '../../util/keys.ts'
import { to } from '../../util/path-builder.ts'
import { oneOf, text, useUrlState } from '../../util/url-state.ts'
import { counted, wordsOf } from '../../util/words.ts'
import { NewRequirement, ThreatModelFile } from './dialogs.tsx'
import { type RequirementRow, Requirements } from './documents.ts'
import styles from './requirements.module.css'
import { type CheckState, states } from './states.tsx'

const Matrix = latePart(() => import('./matrix.tsx'), 10)

export type BesideRequirements = { close: () => void; again: () => Promise<void> }

const looks = ['list', 'matrix'] as const
const shape = { search: text(), as: oneOf(looks, 'list') }

export function Component() {
  const companyId = useCompanyId()
  const { requirementId } = useParams()
  const navigate = useNavigate()
  const [{ search, as }, setState] = useUrlState(shape)
  const [changes, setChanges] = useState(0)
  const filters = search.trim() ? { search: search.trim() } : undefined
  const list = useList(Requirements, { scopeId: Number(companyId), filters }, ({ requirements }) => requirements)
  const columns = useColumns(companyId)
  const kept = new URLSearchParams({ ...(search && { search }), ...(as === 'matrix' && { as }) })
  const close = () => navigate(to.requirements({ companyId }, kept))
  useKeys({ Escape: () => requirementId !== undefined && close() })
  const again = () => {
    setChanges((before) => before + 1)
    return list.again()
  }
  const beside: BesideRequirements = { close, again }
  return (
    <Page
      title="Requirements"
      isFilled
      count={list.total && counted(list.total.count, 'requirement')}
      actions={<Actions companyId={companyId} again={again} />}
      filters={
        <>
          <SearchBox
            label="Search requirements"
            value={search}
            onChange={(typed) => setState({ search: typed }, { push: false })}
          />
          <Choice label="View" options={looks} value={as} onChange={(look) => setState({ as: look })} />
        </>
      }
    >
      {as === 'matrix' ? (
        <Matrix search={search.trim()} kept={kept} changes={changes} />
      ) : (
        <ListTable<RequirementRow>
          label="Requirements"
          list={list}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ label }) => label}
          openId={requirementId}
          onOpen={({ id }, { isReplacing }) =>
            navigate(to.requirement({ companyId, requirementId: id }, kept), { replace: isReplacing, flushSync: true })
          }
          empty={
            <Empty
              title={search ? 'No requirements match the search' : 'No requirements yet'}
              command="merlon threat-model import model.json"
            >
              <p>
                A requirement names attack patterns. Findings with the weaknesses that they exploit violate it, and
                scans for these weaknesses without findings satisfy it.
              </p>
            </Empty>
          }
        />
      )}
      <Outlet context={beside} />
    </Page>
  )
}

function Actions({ companyId, again }: { companyId: string; again: () => Promise<void> }) {
  const { session } = useSession()
  const [open, setOpen] = useState<'new' | 'file' | null>(null)
  const mayNot = whyNot(session, companyId, 'requirements:write')
  const close = () => setOpen(null)
  return (
    <>
      <ButtonLink to={to.threatModels({ companyId })}>Threat models</ButtonLink>
      <Button onClick={() => setOpen('file')} disabledReason={mayNot}>
        Import threat model…
      </Button>
      <Button tone="main" onClick={() => setOpen('new')} disabledReason={mayNot}>
        New requirement
      </Button>
      {open === 'new' && <NewRequirement companyId={companyId} onClose={close} onDone={again} />}
      {open === 'file' && <ThreatModelFile companyId={companyId} onClose={close} onDone={again} />}
    </>
  )
}

function useColumns(companyId: string): Column<RequirementRow>[] {
  return useMemo(
    () => [
      {
        id: 'label',
        header: 'Requirement',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            <Link to={to.requirement({ companyId, requirementId: original.id })} tabIndex={-1}>
              {original.label}
            </Link>
            <Beneath of={states.filter((state) => state !== 'VIOLATED').map((state) => standing(original, state))} />
          </>
        ),
      },
      {
        id: 'project',
        header: 'Project',
        meta: { width: '16%', isExtra: true },
        cell: ({ row }) => row.original.project?.label,
      },
      ...states.map(
        (state): Column<RequirementRow> => ({
          id: state,
          header: wordsOf(state),
          meta: { width: 'clamp(84px, 10cqi, 110px)', isNumber: true, isExtra: state !== 'VIOLATED' },
          cell: ({ row }) => <Cell checks={row.original.check} state={state} />,
        }),
      ),
    ],
    [companyId],
  )
}

const countOf = (checks: RequirementRow['check'], state: CheckState): number =>
  checks.filter((check) => check.state === state).length

function standing({ check }: RequirementRow, state: CheckState): string | null {
  const many = countOf(check, state)
  return many === 0 ? null : `${many} ${wordsOf(state).toLowerCase()}`
}

function Cell({ checks, state }: { checks: RequirementRow['check']; state: CheckState }) {
  const many = countOf(checks, state)
  if (many === 0) return <span className="muted">–</span>
  return <span className={state === 'VIOLATED' ? styles.violated : undefined}>{many}</span>
}
