// The evidence of a finding: its code with the line, or its request and response, and further facts about it.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { languageOf } from '../../ui/highlight.ts'
import { Moment } from '../../ui/moment.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { to } from '../../util/path-builder.ts'
import { placeWords, wordsOf } from '../../util/words.ts'
import styles from './panel.module.css'
import type { FindingDetail } from './panel-documents.ts'

export function Evidence({ issue }: { issue: FindingDetail }) {
  if ('http' in issue && issue.http) {
    const { url, method, request, response, proof } = issue.http
    const [inRequest, inResponse] = [proof.filter((one) => one.isInRequest), proof.filter((one) => !one.isInRequest)]
    return (
      <section>
        {url && (
          <p className={styles.where}>
            <code>
              {method} {url}
            </code>
          </p>
        )}
        <div className={`stack ${styles.exchange}`}>
          {request && <CodeBlock text={request} marks={inRequest} label="Request" />}
          {response && <CodeBlock text={response} marks={inResponse} label="Response" />}
        </div>
      </section>
    )
  }
  if (!('detail' in issue) || !issue.detail) return null
  const { fileName, vulnerableLine, firstLine, codeSnippet } = issue.detail
  return (
    <section>
      {fileName && (
        <p className={styles.where}>
          <code>{placeWords({ path: fileName, line: vulnerableLine })}</code>
        </p>
      )}
      {codeSnippet ? (
        <CodeBlock
          text={codeSnippet}
          firstLine={firstLine ?? vulnerableLine ?? 1}
          markedLine={vulnerableLine}
          language={languageOf(fileName)}
          label={`Code of ${fileName ?? 'the finding'}`}
        />
      ) : (
        <p className="muted">The report contains no code.</p>
      )}
    </section>
  )
}

/** Each weakness links to the other open findings with it. */
const Weaknesses = ({ ids, companyId }: { ids: readonly number[]; companyId: string }) => (
  <span className="row">
    {ids.map((id) => (
      <Link key={id} to={to.findings({ companyId }, `cwe=${id}`)}>
        CWE-{id}
      </Link>
    ))}
  </span>
)

export function Known({ issue }: { issue: FindingDetail }) {
  const companyId = useCompanyId()
  const facts: Fact[] = [
    { name: 'Number', fact: issue.id },
    {
      name: 'Tool',
      fact:
        'toolName' in issue && issue.toolName ? (
          <Link to={to.findings({ companyId }, new URLSearchParams({ tool: issue.toolName }))}>{issue.toolName}</Link>
        ) : null,
    },
    { name: 'Rule', fact: 'rule' in issue ? <code>{issue.rule}</code> : null },
    { name: 'Weaknesses', fact: issue.cweIds.length > 0 && <Weaknesses ids={issue.cweIds} companyId={companyId} /> },
    { name: 'CVSS', fact: issue.cvssScore },
    { name: 'Due', fact: issue.sla && <Due sla={issue.sla} /> },
    { name: 'Found', fact: <Moment at={issue.createdAt} /> },
    { name: 'Reference', fact: issue.reference && <OutsideLink to={issue.reference} /> },
  ]
  return (
    <section>
      <h3>Details</h3>
      <Facts facts={facts} />
    </section>
  )
}

const Due = ({ sla }: { sla: NonNullable<FindingDetail['sla']> }) => (
  <>
    {wordsOf(sla.state)}, <Moment at={sla.dueAt} />
  </>
)
