// Open findings that the service considers similar to this one: the newest few, and a link to all of them.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, placeWords } from '../../util/words.ts'
import styles from './panel.module.css'

const SimilarFindings = graphql(`
  query SimilarFindings($companyId: ID!, $id: ID!) {
    issues(companyId: $companyId, filters: { similarTo: $id }, pagination: { perPage: 5 }) {
      collection {
        id
        title
        severity
        asset { id name }
        occurrences { path line }
      }
      metadata { totalCount }
    }
  }
`)

export function Similar({ issueId }: { issueId: string }) {
  const companyId = useCompanyId()
  const answer = useAsk(SimilarFindings, { companyId, id: issueId }, { affectedBy: ['Issue'] })
  return (
    <section aria-label="Similar findings">
      <h3>Similar findings</h3>
      <Answered of={answer} lines={2}>
        {({ issues: { collection, metadata } }) =>
          collection.length === 0 ? (
            <p className="muted">No other open finding has the same weakness or rule.</p>
          ) : (
            <>
              <ul className={styles.similar}>
                {collection.map(({ id, title, severity, asset, occurrences: [at] }) => (
                  <li key={id}>
                    <SeverityMark of={severity} />
                    <span className={styles.named}>
                      <Link to={to.finding({ companyId, issueId: id })}>{title}</Link>
                      <span className={styles.muted}>
                        {asset.name}
                        {at?.path ? `, ${placeWords(at)}` : ''}
                      </span>
                    </span>
                  </li>
                ))}
              </ul>
              <p>
                <Link to={to.findings({ companyId }, `similar=${issueId}`)}>
                  {metadata.totalCount === 1
                    ? 'Show it in the list'
                    : `All ${counted(metadata.totalCount, 'similar finding')}`}
                </Link>
              </p>
            </>
          )
        }
      </Answered>
    </section>
  )
}
