// The page of one import: its outcome, and for every row of the report what became of it and why.

import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import type { Column } from '../../table/column.ts'
import { Facet } from '../../table/filters.tsx'
import { ListTable } from '../../table/list-table.tsx'
import { useList } from '../../table/use-list.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { count, wordsOf } from '../../util/words.ts'
import { ImportRows, OneImport, type ReportRow } from './documents.ts'
import { ImportOutcome } from './outcome.tsx'

type Disposition = EnumOf<'ImportRowDisposition'>
const dispositions = [
  'CREATED',
  'UPDATED',
  'UNCHANGED',
  'REOPENED',
  'MERGED',
  'CLOSED',
  'LEFT_OUT',
] as const satisfies readonly Disposition[]
const shape = { rows: oneOf([...dispositions, 'any'] as const, 'any') }

export function Component() {
  const companyId = useCompanyId()
  const { importId = '' } = useParams()
  const answer = useAsk(OneImport, { id: importId })
  const [{ rows }, setState] = useUrlState(shape)
  return (
    <AnsweredPage title="Import" crumbs={[{ name: 'Assets', path: to.assets({ companyId }) }]} of={answer}>
      {({ import: found }) => (
        <Page
          title={found.fileName}
          crumbs={[
            { name: 'Assets', path: to.assets({ companyId }) },
            { name: found.asset.name, path: to.asset({ companyId, assetId: found.asset.id }, 'imports') },
          ]}
          count={wordsOf(found.status)}
        >
          <div className="stack">
            <Facts
              facts={[
                { name: 'Result', fact: <ImportOutcome of={found} /> },
                { name: 'Rows read', fact: found.result && count(found.result.read) },
                { name: 'Components', fact: found.result?.components ? count(found.result.components) : null },
                { name: 'Format', fact: found.format },
                { name: 'Branch', fact: found.branchName },
                { name: 'Commit', fact: found.commitRef && <span className="code">{found.commitRef}</span> },
                { name: 'Not closed because', fact: found.unclosedReason },
                { name: 'Incomplete because', fact: found.unclosedReason ? null : found.incompleteReason },
                { name: 'Imported', fact: <Moment at={found.createdAt} /> },
              ]}
            />
            <div className="row">
              <Facet
                name="Outcome"
                options={dispositions}
                chosen={rows === 'any' ? [] : [rows]}
                onChange={(chosen) => setState({ rows: chosen.find((one) => one !== rows) ?? 'any' })}
                show={wordsOf}
              />
            </div>
            <Rows importId={importId} disposition={rows === 'any' ? undefined : rows} />
          </div>
        </Page>
      )}
    </AnsweredPage>
  )
}

function Rows({ importId, disposition }: { importId: string; disposition: Disposition | undefined }) {
  const companyId = useCompanyId()
  const asked = { id: importId, disposition }
  const list = useList(ImportRows, asked, ({ import: { rows } }) => rows)
  const columns = useMemo<Column<ReportRow>[]>(
    () => [
      {
        id: 'at',
        header: 'Report location',
        meta: { width: '184px', isExtra: true },
        cell: ({ row }) => <span className="code muted">{row.original.at}</span>,
      },
      { id: 'what', header: 'Outcome', meta: { width: '100px' }, cell: ({ row }) => wordsOf(row.original.disposition) },
      {
        id: 'finding',
        header: 'Finding or reason',
        meta: { isSentence: true },
        cell: ({ row: { original } }) => (
          <>
            {original.issue && (
              <Link to={to.finding({ companyId, issueId: original.issue.id })}>
                <SeverityMark of={original.issue.severity} /> {original.issue.title}
              </Link>
            )}{' '}
            {original.reason && <span className="muted">{original.reason}</span>}
          </>
        ),
      },
      {
        id: 'by',
        header: 'Matched by',
        meta: { width: '130px', isExtra: true },
        cell: ({
          row: {
            original: { matchedBy },
          },
        }) => (matchedBy === 'NEW' ? null : matchedBy && wordsOf(matchedBy)),
      },
    ],
    [companyId],
  )
  return (
    <ListTable<ReportRow>
      isPart
      label="Report rows"
      list={list}
      columns={columns}
      idOf={(row) => `${row.at} ${row.disposition} ${row.issue?.id}`}
      nameOf={({ at }) => at ?? ''}
      empty={
        disposition === undefined ? (
          <Empty title="The report has no findings">
            <p>Components, if it lists any, are on the asset’s page.</p>
          </Empty>
        ) : (
          <Empty title="No rows match the filter">
            <ButtonLink to={to.import({ companyId, importId })}>Show all rows</ButtonLink>
          </Empty>
        )
      }
    />
  )
}
