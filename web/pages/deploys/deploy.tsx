// The page of one deploy: its verdict with the reasons, what it did to findings, and its diff with the findings in place.

import { Link, useNavigate, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { Form } from '../../forms/form.tsx'
import { AnsweredPage } from '../../frame/answered-page.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { count, withGateWords, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import {
  DeleteDeploy,
  DeployChanges,
  type DeployDetail,
  FixedFindings,
  IntroducedFindings,
  OneDeploy,
  ReviewDeploy,
  TouchedFindings,
} from './documents.ts'
import { ChangedFile } from './file.tsx'
import { Found } from './found.tsx'
import { ReviewSummary, Sensitive, Unread, useReviewProgress } from './review.tsx'
import { Existing, Size } from './table.tsx'

export function Component() {
  const companyId = useCompanyId()
  const { deployId = '' } = useParams()
  const answer = useAsk(OneDeploy, { id: deployId }, { affectedBy: ['Issue', 'GatePolicy'] })
  return (
    <AnsweredPage title="Deploy" crumbs={[{ name: 'Deploys', path: to.deploys({ companyId }) }]} of={answer}>
      {({ deploy }) => <Shown key={deploy.id} deploy={deploy} again={answer.again} />}
    </AnsweredPage>
  )
}

function Shown({ deploy, again }: { deploy: DeployDetail; again: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const navigate = useNavigate()
  const { review } = deploy
  const remove = async () => {
    await change(DeleteDeploy, { input: { id: deploy.id } })
    say('Deploy deleted.')
    navigate(to.deploys({ companyId }))
  }
  useReviewProgress(deploy, again)
  return (
    <Page
      title={`Deploy ${short(deploy.currentCommit)}`}
      crumbs={[
        { name: 'Deploys', path: to.deploys({ companyId }) },
        { name: deploy.asset.name, path: to.asset({ companyId, assetId: deploy.asset.id }, 'deploys') },
      ]}
      count={deploy.branchName && <span className="code">{deploy.branchName}</span>}
      actions={
        <DeleteButton
          what="deploy"
          description="The deploy and its diff are permanently deleted. Only the newest deploy of a branch can be deleted, and only if no finding refers to it; others can be discarded."
          disabledReason={whyNot(session, companyId, 'deploys:delete')}
          action={remove}
        />
      }
    >
      <div className="stack">
        <Judged deploy={deploy} />
        <About deploy={deploy} />
        {review && <Unread review={review} />}
        {/* the key changes with the review's state, so that the lists are fetched again */}
        <div key={`found ${review?.state}`} className={styles.columns}>
          <Found title="Introduced" document={IntroducedFindings} deployId={deploy.id} none="No findings introduced." />
          <Found
            title="Touched"
            document={TouchedFindings}
            deployId={deploy.id}
            none="No lines with findings changed."
          />
          <Found title="Fixed" document={FixedFindings} deployId={deploy.id} none="No findings fixed." />
        </div>
        <Sensitive changes={deploy.sensitiveChanges} />
        <Files key={`files ${review?.state}`} deploy={deploy} />
      </div>
    </Page>
  )
}

/** The gate's verdict with its reasons, and what people can do about the deploy. */
function Judged({ deploy }: { deploy: DeployDetail }) {
  const companyId = useCompanyId()
  const { gate } = deploy
  // the sentence names only the deciding reasons and counts the others, so those are listed here
  const unsaid = gate.reasons.filter(({ decision }) => decision !== gate.decision)
  return (
    <section
      className={styles.verdict}
      data-decision={gate.isJudged ? gate.decision : 'WARN'}
      aria-label="Gate verdict"
    >
      <div className={styles.judged}>
        <Verdict of={gate.decision} isJudged={gate.isJudged} />
        <span>{withGateWords(gate.sentence)}</span>
      </div>
      {unsaid.length > 0 && (
        <ul className={styles.reasons}>
          {unsaid.map(({ rule, sentence }) => (
            <li key={rule}>Warning: {withGateWords(sentence)}</li>
          ))}
        </ul>
      )}
      <div className="row">
        <Review deploy={deploy} />
        <span className={styles.policy}>
          {gate.policy.scope === 'ASSET' ? (
            <Link to={to.asset({ companyId, assetId: deploy.asset.id }, 'gate')}>Asset gate rules</Link>
          ) : (
            <Link to={to.policies({ companyId })}>Policies</Link>
          )}
        </span>
      </div>
    </section>
  )
}

const short = (commit: string): string => commit.slice(0, 10)

const About = ({ deploy }: { deploy: DeployDetail }) => (
  <Facts
    facts={[
      {
        name: 'Diff',
        fact: (
          <>
            <Size of={deploy} /> · <a href={deploy.diffPath}>Download</a>
          </>
        ),
      },
      {
        name: 'Commits',
        fact: <span className="code">{`${short(deploy.previousCommit)} → ${short(deploy.currentCommit)}`}</span>,
      },
      { name: 'Commit message', fact: deploy.commits[0]?.message.split('\n')[0] },
      { name: 'Authored', fact: deploy.authoredAt && <Moment at={deploy.authoredAt} /> },
      { name: 'Sent', fact: <Sent deploy={deploy} /> },
      { name: 'Languages', fact: deploy.languages.map(({ name }) => name).join(', ') },
      {
        name: 'Existing findings',
        fact: <Existing of={deploy} />,
      },
      {
        name: 'Not parsed',
        fact: deploy.diffState === 'PARSED' ? null : (deploy.diffReason ?? wordsOf(deploy.diffState)),
      },
      { name: 'Review', fact: deploy.review && <ReviewSummary review={deploy.review} /> },
    ]}
  />
)

const Sent = ({ deploy: { createdAt, createdBy } }: { deploy: DeployDetail }) => (
  <>
    <Moment at={createdAt} />
    {createdBy ? ` by ${createdBy.name}` : ''}
  </>
)

function Files({ deploy }: { deploy: DeployDetail }) {
  const list = useList(DeployChanges, { id: deploy.id }, ({ deploy: { changes } }) => changes)
  return (
    <section className="stack" aria-label="Changed files">
      <h2>
        Changed files <span className="muted number">{count(deploy.files)}</span>
      </h2>
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.isWaiting && <Awaited lines={8} />}
      {list.rows.map((file, index) => (
        <ChangedFile key={`${file.oldPath} ${file.newPath}`} file={file} isFirst={index < 3} />
      ))}
      <Rest of={list} what="file" />
    </section>
  )
}

const words: Partial<Record<EnumOf<'DeployStatus'>, string>> = {
  IN_REVIEW: 'Start review',
  REVIEWED: 'Mark as reviewed',
  DISCARDED: 'Discard',
  ARCHIVED: 'Archive',
}

/** The usual next status, whose button is the prominent one. */
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
