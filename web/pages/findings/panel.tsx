// The panel of one finding beside the list: the code first, then what it is, where it is, and its history.

import { Link2, Printer, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useOutletContext, useParams } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { SidePanel } from '../../frame/side-panel.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { StatusWord } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { putOnClipboard } from '../../util/clipboard.ts'
import { useKeys } from '../../util/keys.ts'
import { usePrintedWhole } from '../../util/printing.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { withSeverityWords, wordsOf } from '../../util/words.ts'
import { Broken } from './broken.tsx'
import { DeleteFindingsButton } from './delete.tsx'
import { Evidence, Known } from './evidence.tsx'
import { Flow } from './flow.tsx'
import type { Beside } from './list.tsx'
import styles from './panel.module.css'
import { Finding, type FindingDetail } from './panel-documents.ts'
import { Places } from './places.tsx'
import { Reproduce } from './reproduce.tsx'
import { Similar } from './similar.tsx'
import { Timeline } from './timeline.tsx'
import { WhyOne } from './why-one.tsx'
import { WorkItem } from './work-item.tsx'
import { Worth } from './worth.tsx'

const AssignDialog = lateDialog(() => import('./assign.tsx'))

const COPY_LINK = 'Copy link to this finding'

export function Component() {
  const { issueId = '' } = useParams()
  const { close, decide, decided, changed, gone } = useOutletContext<Beside>()
  const answer = useAsk(Finding, { id: issueId })
  const { again } = answer
  const seen = useRef(decided)
  useEffect(() => {
    if (seen.current === decided) return
    seen.current = decided
    again()
  }, [decided, again])
  return (
    <SidePanel label="Finding" onClose={answer.data === undefined ? close : undefined}>
      <Answered of={answer} lines={10}>
        {({ issue }) => <Shown issue={issue} close={close} decide={decide} changed={changed} gone={gone} />}
      </Answered>
    </SidePanel>
  )
}

const shape = { tab: oneOf(['what', 'one', 'worth', 'broken', 'card', 'again'] as const, 'what') }

type Props = Pick<Beside, 'close' | 'decide' | 'changed' | 'gone'> & { issue: FindingDetail }

function Shown({ issue, close, decide, changed, gone }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'issues:decide')
  const mayNotAssign = whyNot(session, companyId, 'issues:write')
  const { id, title, severity, status, assignedUsers } = issue
  const [isAssigning, setAssigning] = useState(false)
  const decideThis = () => decide({ ids: [id], title })
  const [{ tab }, setState] = useUrlState(shape)
  const { isWhole, whole, print } = usePrintedWhole()
  const isAsked = 'http' in issue && issue.http?.request
  useKeys({
    d: () => mayNot === undefined && decideThis(),
    a: () => mayNotAssign === undefined && setAssigning(true),
  })

  return (
    <article className={`stack ${styles.finding}`}>
      <header className={styles.head}>
        <div className="row">
          <SeverityBadge of={severity} />
          <span className="muted">
            {wordsOf(issue.type)} · {issue.asset.name}
          </span>
          <span className={styles.corner}>
            <ActionButton
              tone="quiet"
              size="small"
              aria-label={COPY_LINK}
              hint={COPY_LINK}
              action={() => putOnClipboard(window.location.href, 'the link', 'copy it from the address bar')}
            >
              <Link2 size={16} aria-hidden />
            </ActionButton>
            <IconButton name="Print finding" size="small" onClick={print}>
              <Printer size={16} aria-hidden />
            </IconButton>
            <IconButton name="Close" size="small" onClick={close}>
              <X size={16} aria-hidden />
            </IconButton>
          </span>
        </div>
        <h2 className="words">{title}</h2>
        <div className="row">
          <StatusWord of={status} />
          <Button
            size="small"
            onClick={decideThis}
            disabledReason={mayNot}
            hint={
              <>
                Decide <kbd>d</kbd>
              </>
            }
          >
            Decide…
          </Button>
          <Button
            size="small"
            onClick={() => setAssigning(true)}
            disabledReason={mayNotAssign}
            hint={
              <>
                Assign <kbd>a</kbd>
              </>
            }
          >
            Assign…
          </Button>
          <span className="muted">
            {assignedUsers.length === 0
              ? 'Unassigned'
              : `Assigned to ${assignedUsers.map(({ name }) => name).join(', ')}`}
          </span>
          <span className={styles.corner}>
            {/* a key per finding, so that a question asked about one finding is not answered for the next one shown */}
            <DeleteFindingsButton
              key={id}
              companyId={companyId}
              ids={[id]}
              title={issue.title}
              onDone={() => gone([id])}
            />
          </span>
        </div>
        {issue.statusReason && <p className="words muted">{issue.statusReason}</p>}
      </header>
      <Evidence issue={issue} />
      {'detail' in issue && issue.detail && <Flow code={issue.detail} asset={issue.asset} />}
      <p>Priority {withSeverityWords(issue.priority.sentence)}</p>
      <Tabs
        label="Finding details"
        value={tab}
        onChange={(next) => setState({ tab: next }, { push: false })}
        whole={isWhole ? whole : null}
        tabs={[
          { value: 'what', name: 'Overview', content: <What issue={issue} /> },
          { value: 'one', name: 'Identity', content: <WhyOne issueId={id} /> },
          { value: 'worth', name: 'Priority', content: <Worth issueId={id} /> },
          { value: 'broken', name: 'Requirements', content: <Broken issueId={id} /> },
          { value: 'card', name: 'Card', content: <WorkItem issueId={id} /> },
          ...(isAsked ? [{ value: 'again' as const, name: 'Reproduce', content: <Reproduce issue={issue} /> }] : []),
        ]}
      />
      {isAssigning && (
        <AssignDialog
          key={id}
          companyId={companyId}
          issue={issue}
          onClose={() => setAssigning(false)}
          onDone={() => {
            setAssigning(false)
            changed()
          }}
        />
      )}
    </article>
  )
}

function What({ issue }: { issue: FindingDetail }) {
  return (
    <div className="stack">
      <section>
        <h3>Description</h3>
        <p className="words">{issue.description || 'No description.'}</p>
      </section>
      {issue.solution && (
        <section>
          <h3>Remediation</h3>
          <p className="words">{issue.solution}</p>
        </section>
      )}
      <Places issue={issue} />
      <Timeline events={issue.history} assetId={issue.asset.id} />
      <Known issue={issue} />
      <Similar issueId={issue.id} />
    </div>
  )
}
