// One deploy: its verdict with the reasons, what it did to findings, and its diff with the findings in it.

import { Link, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import { DeployChanges, type DeployDetail, OneDeploy, ReviewDeploy } from './documents.ts'
import { ChangedFile } from './file.tsx'
import { Carried, Size } from './table.tsx'

export function Component() {
  const { deployId = '' } = useParams()
  const answer = useAsk(OneDeploy, { id: deployId }, { affectedBy: ['Issue'] })
  return (
    <AnsweredPage title="Deploy" of={answer}>
      {({ deploy }) => <Shown deploy={deploy} />}
    </AnsweredPage>
  )
}

function Shown({ deploy }: { deploy: DeployDetail }) {
  const companyId = useCompanyId()
  const { gate } = deploy
  return (
    <Page
      title={`Deploy ${deploy.currentCommit.slice(0, 10)}`}
      crumbs={[
        { name: 'Deploys', path: to.deploys({ companyId }) },
        { name: deploy.asset.name, path: to.asset({ companyId, assetId: deploy.asset.id }, 'deploys') },
      ]}
      count={deploy.branchName && <span className="code">{deploy.branchName}</span>}
      actions={<Review deploy={deploy} />}
    >
      <div className="stack">
        <section className={styles.verdict} data-decision={gate.decision} aria-label="The gate">
          <div className="row">
            <Verdict of={gate.decision} />
            <span>{gate.sentence}</span>
          </div>
          {/* the sentence holds the only one */}
          {gate.reasons.length > 1 && (
            <ul className={styles.reasons}>
              {gate.reasons.map(({ rule, decision, sentence }) => (
                <li key={rule}>
                  {decision === 'BLOCK' ? 'Blocks' : 'Warns'}: {sentence}
                </li>
              ))}
            </ul>
          )}
          <p className="muted">
            By the{' '}
            {gate.policy.scope === 'BUILT_IN' ? 'built-in policy' : `policy of the ${gate.policy.scope.toLowerCase()}`}.{' '}
            <Link to={to.policies({ companyId })}>Policies</Link>
          </p>
        </section>
        <Facts
          facts={[
            { name: 'Diff', fact: <Size of={deploy} /> },
            {
              name: 'Commits',
              fact: (
                <span className="code">{`${deploy.previousCommit.slice(0, 10)} → ${deploy.currentCommit.slice(0, 10)}`}</span>
              ),
            },
            { name: 'Last message', fact: deploy.commits[0]?.message.split('\n')[0] },
            { name: 'Written', fact: deploy.authoredAt && <Moment at={deploy.authoredAt} /> },
            { name: 'Sent', fact: <Sent deploy={deploy} /> },
            { name: 'Languages', fact: deploy.languages.map(({ name }) => name).join(', ') },
            {
              name: 'Findings',
              fact: deploy.isCarried ? (
                <Carried of={deploy.findings} />
              ) : (
                `not carried: ${wordsOf(deploy.lineage).toLowerCase()}`
              ),
            },
            {
              name: 'Not read',
              fact: deploy.diffState === 'PARSED' ? null : (deploy.diffReason ?? wordsOf(deploy.diffState)),
            },
            { name: 'As sent', fact: <a href={deploy.diffPath}>Download the diff</a> },
          ]}
        />
        <div className={styles.columns}>
          <Found title="Introduced" of={deploy.introduced} none="It brought nothing." />
          <Found title="Touched" of={deploy.touched} none="No line of a finding was replaced." />
          <Found title="Fixed" of={deploy.fixed} none="Nothing is gone with it." />
        </div>
        <Files deploy={deploy} />
      </div>
    </Page>
  )
}

const Sent = ({ deploy: { createdAt, createdBy } }: { deploy: DeployDetail }) => (
  <>
    <Moment at={createdAt} />
    {createdBy ? ` by ${createdBy.name}` : ''}
  </>
)

const placeOf = (at: { path: string | null; line: number | null } | undefined): string =>
  at?.path ? `${at.path.split('/').at(-1)}${at.line === null ? '' : `:${at.line}`}` : ''

type FoundProps = { title: string; of: DeployDetail['introduced']; none: string }

function Found({ title, of: { collection, metadata }, none }: FoundProps) {
  const companyId = useCompanyId()
  return (
    <section>
      <h2>
        {title} <span className="muted number">{metadata.totalCount}</span>
      </h2>
      {collection.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className={styles.found}>
          {collection.map(({ id, title: name, severity, occurrences }) => (
            <li key={id} className="cut">
              <SeverityMark of={severity} /> <Link to={to.finding({ companyId, issueId: id })}>{name}</Link>{' '}
              <span className="muted code">{placeOf(occurrences[0])}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Files({ deploy }: { deploy: DeployDetail }) {
  const list = useList(DeployChanges, { id: deploy.id }, ({ deploy: { changes } }) => changes)
  return (
    <section className="stack" aria-label="Changed files">
      <h2>
        Changed files <span className="muted number">{deploy.files}</span>
      </h2>
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.isWaiting && <Awaited lines={8} />}
      {list.rows.map((file, index) => (
        <ChangedFile key={`${file.oldPath} ${file.newPath}`} file={file} isFirst={index < 3} />
      ))}
      {list.hasMore && <Button onClick={list.more}>Show more of {counted(deploy.files, 'file')}</Button>}
    </section>
  )
}

const words: Partial<Record<EnumOf<'DeployStatus'>, string>> = {
  IN_REVIEW: 'Begin the review',
  REVIEWED: 'Reviewed',
  DISCARDED: 'Discard',
  ARCHIVED: 'Archive',
}

/** What comes next, most often: the one button that asks to be looked at. */
const usual: Partial<Record<EnumOf<'DeployStatus'>, EnumOf<'DeployStatus'>>> = {
  PENDING: 'IN_REVIEW',
  IN_REVIEW: 'REVIEWED',
}

function Review({ deploy: { id, permittedStatus, status } }: { deploy: DeployDetail }) {
  const companyId = useCompanyId()
  const change = useChange()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'deploys:review')
  return (
    <>
      <span className="muted">{wordsOf(status)}</span>
      {permittedStatus.map((next) => (
        <Form
          key={next}
          submit={words[next] ?? wordsOf(next)}
          isQuiet={next !== usual[status]}
          disabledReason={mayNot}
          action={async () => {
            await change(ReviewDeploy, { input: { id, status: next } })
          }}
        >
          {null}
        </Form>
      ))}
    </>
  )
}
