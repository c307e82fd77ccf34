// The threat model as a matrix: a row for each attack pattern of a requirement, a column for each weakness with open findings.

import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Empty } from '../../ui/empty.tsx'
import { to } from '../../util/path-builder.ts'
import { count, counted } from '../../util/words.ts'
import { type MatrixRow, RequirementMatrix } from './documents.ts'
import styles from './matrix.module.css'
import { patternOf } from './pattern.ts'
import { StateWord } from './states.tsx'

type Check = MatrixRow['check'][number]
type Weakness = Check['openFindingsByWeakness'][number]['weakness']

/** The most weakness columns; those with the most findings are kept. */
const MOST_COLUMNS = 24

type Props = {
  /** Filters the requirements by their label. */
  search: string
  /** The search parameters that the address keeps when a requirement is opened. */
  kept: URLSearchParams
  /** A counter of changes made outside the matrix; a new value reloads it. */
  changes: number
}

export default function Matrix({ search, kept, changes }: Props) {
  const companyId = useCompanyId()
  const filters = search === '' ? undefined : { search }
  const asked = { scopeId: Number(companyId), filters }
  const list = useList(RequirementMatrix, asked, ({ requirements }) => requirements)
  const { again } = list
  const seen = useRef(changes)
  useEffect(() => {
    if (seen.current === changes) return
    seen.current = changes
    void again()
  }, [changes, again])
  if (list.failure) return <Failed failure={list.failure} again={() => void list.again()} />
  if (list.isWaiting) return <Awaited lines={10} />
  const rows = list.rows
    .map((row) => ({ ...row, check: row.check.filter(({ capecId }) => capecId !== null) }))
    .filter(({ check }) => check.length > 0)
  if (rows.length === 0) {
    return search === '' ? (
      <Empty title="No requirements with attack patterns" command="merlon threat-model import model.json">
        <p>Create requirements for attack patterns, or import a threat model. The matrix shows them by weakness.</p>
      </Empty>
    ) : (
      <Empty title="No requirements match the search" />
    )
  }
  const weaknesses = weaknessesOf(rows.flatMap(({ check }) => check))
  const columns = weaknesses.slice(0, MOST_COLUMNS)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.matrix} tabIndex={0} aria-label="Requirements by weakness">
      <table data-stale={list.isStale || undefined}>
        <Head columns={columns} />
        {rows.map((row) => (
          <Patterns
            key={row.id}
            of={row}
            path={to.requirement({ companyId, requirementId: row.id }, kept)}
            columns={columns}
          />
        ))}
      </table>
      {weaknesses.length > MOST_COLUMNS && (
        <p className="muted">
          {counted(weaknesses.length - MOST_COLUMNS, 'weakness', 'weaknesses')} with fewer findings have no column.
        </p>
      )}
      <Rest of={list} what="requirement" />
    </section>
  )
}

const Head = ({ columns }: { columns: readonly Weakness[] }) => (
  <thead>
    <tr>
      <th scope="col">Requirement</th>
      <th scope="col">Attack pattern</th>
      <th scope="col">State</th>
      <th scope="col" className={styles.figure}>
        Open findings
      </th>
      {columns.map(({ id, name }) => (
        <th key={id} scope="col" className={styles.figure} title={name}>
          CWE-{id}
          <span className={styles.name}>{name}</span>
        </th>
      ))}
    </tr>
  </thead>
)

type PatternsProps = { of: MatrixRow; path: string; columns: readonly Weakness[] }

/** The rows of one requirement. */
const Patterns = ({ of: { label, check: checks }, path, columns }: PatternsProps) => (
  <tbody>
    {checks.map((check, index) => (
      <tr key={check.id}>
        {index === 0 && (
          <th scope="rowgroup" rowSpan={checks.length}>
            <Link to={path}>{label}</Link>
          </th>
        )}
        <th scope="row">{patternOf(check)}</th>
        <td>
          <StateWord of={check.state} />
        </td>
        <Findings cweIds={check.openFindingsByWeakness.map(({ weakness }) => weakness.id)} value={check.openFindings} />
        {columns.map((weakness) => (
          <Findings key={weakness.id} cweIds={[weakness.id]} value={having(check, weakness)} />
        ))}
      </tr>
    ))}
  </tbody>
)

const having = ({ openFindingsByWeakness }: Check, { id }: Weakness): number =>
  openFindingsByWeakness.find(({ weakness }) => weakness.id === id)?.openFindings ?? 0

/** The weaknesses that violate any of these checks, those with the most findings first. */
function weaknessesOf(checks: readonly Check[]): Weakness[] {
  const most = new Map<string, { weakness: Weakness; openFindings: number }>()
  for (const found of checks.flatMap(({ openFindingsByWeakness }) => openFindingsByWeakness)) {
    const known = most.get(found.weakness.id)
    if (!known || known.openFindings < found.openFindings) most.set(found.weakness.id, found)
  }
  return [...most.values()]
    .sort(
      (left, right) => right.openFindings - left.openFindings || Number(left.weakness.id) - Number(right.weakness.id),
    )
    .map(({ weakness }) => weakness)
}

/** How many open findings have one of these weaknesses, as a link to them. */
function Findings({ cweIds, value }: { cweIds: readonly string[]; value: number }) {
  const companyId = useCompanyId()
  return (
    <td className={styles.figure}>
      {value === 0 ? (
        <span className="muted">–</span>
      ) : (
        <Link
          to={to.findings({ companyId }, `cwe=${cweIds.join(',')}`)}
          aria-label={`${counted(value, 'open finding')} of ${cweIds.map((id) => `CWE-${id}`).join(', ')}`}
        >
          {count(value)}
        </Link>
      )}
    </td>
  )
}
