// The findings that a deploy affected in one way, with their places.

import { useState } from 'react'
import { Link } from 'react-router'
import type { TypedDocumentNode } from 'urql'
import type { ResultOf, VariablesOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { count, placeWords } from '../../util/words.ts'
import styles from './deploys.module.css'
import type { IntroducedFindings } from './documents.ts'

type Document = TypedDocumentNode<ResultOf<typeof IntroducedFindings>, VariablesOf<typeof IntroducedFindings>>

/** How many are listed, worst first, before the list would push the diff out of sight. */
const MOST = 8

type Props = { title: string; document: Document; deployId: string; none: string }

const placeOf = (at: { path: string | null; line: number | null } | undefined): string =>
  at?.path ? placeWords({ path: at.path.split('/').at(-1) ?? '', line: at.line }) : ''

export function Found({ title, document, deployId, none }: Props) {
  const companyId = useCompanyId()
  const list = useList(document, { id: deployId }, ({ deploy: { found } }) => found)
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && list.rows.length > MOST + 1
  return (
    <section aria-label={title} data-empty={list.total?.count === 0 || undefined}>
      <h2>
        {title} {list.total && <span className="muted number">{count(list.total.count)}</span>}
      </h2>
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.isWaiting && <Awaited lines={2} />}
      {list.total?.count === 0 && <p className="muted">{none}</p>}
      <ul className={styles.found}>
        {(isCut ? list.rows.slice(0, MOST) : list.rows).map(({ id, title: name, severity, occurrences }) => (
          <li key={id}>
            <SeverityMark of={severity} />
            <span className={styles.named}>
              <Link to={to.finding({ companyId, issueId: id })}>{name}</Link>{' '}
              <span className={`muted code ${styles.at}`} title={occurrences[0]?.path ?? undefined}>
                {placeOf(occurrences[0])}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {isCut ? (
        <Button size="small" tone="quiet" onClick={() => setWhole(true)}>
          Show {count((list.total?.count ?? list.rows.length) - MOST)} more
          <span className="heard"> {title.toLowerCase()}</span>
        </Button>
      ) : (
        <Rest of={list} what="finding" />
      )}
    </section>
  )
}
