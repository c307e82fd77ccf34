// The panel of one finding beside the list: the code first, then what it is, where it is, and its history.

import { useEffect, useRef, useState } from 'react'
import { useOutletContext, useParams } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { SidePanel } from '../../frame/side-panel.tsx'
import { Answered } from '../../ui/answered.tsx'
import { lateDialog } from '../../ui/late.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useKeys } from '../../util/keys.ts'
import { usePrintedWhole } from '../../util/printing.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { withSeverityWords } from '../../util/words.ts'
import { Broken } from './broken.tsx'
import { Evidence, Known } from './evidence.tsx'
import { Flow } from './flow.tsx'
import type { Beside } from './list.tsx'
import styles from './panel.module.css'
import { Finding, type FindingDetail } from './panel-documents.ts'
import { PanelHead } from './panel-head.tsx'
import { Places } from './places.tsx'
import { Reproduce } from './reproduce.tsx'
import { Similar } from './similar.tsx'
import { Timeline } from './timeline.tsx'
import { WhyOne } from './why-one.tsx'
import { WorkItem } from './work-item.tsx'
import { Worth } from './worth.tsx'

const AssignDialog = lateDialog(() => import('./assign.tsx'))

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

const parts = ['what', 'one', 'worth', 'broken', 'card', 'again'] as const
const shape = { tab: oneOf(parts, 'what') }

type Props = Pick<Beside, 'close' | 'decide' | 'changed' | 'gone'> & { issue: FindingDetail }

function Shown({ issue, close, decide, changed, gone }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const { id, title } = issue
  const [isAssigning, setAssigning] = useState(false)
  const [{ tab }, setState] = useUrlState(shape)
  const { isWhole, whole, print } = usePrintedWhole()
  const decideThis = () => decide({ ids: [id], title })
  const assign = () => setAssigning(true)
  useKeys({
    d: () => whyNot(session, companyId, 'issues:decide') === undefined && decideThis(),
    a: () => whyNot(session, companyId, 'issues:write') === undefined && assign(),
  })

  return (
    <article className={`stack ${styles.finding}`}>
      <PanelHead
        issue={issue}
        decide={decideThis}
        assign={assign}
        print={print}
        close={close}
        onDeleted={() => gone([id])}
      />
      <Evidence issue={issue} />
      {'detail' in issue && issue.detail && <Flow code={issue.detail} asset={issue.asset} />}
      <p>Priority {withSeverityWords(issue.priority.sentence)}</p>
      <Tabs
        label="Finding details"
        value={tab}
        onChange={(next) => setState({ tab: next }, { push: false })}
        whole={isWhole ? whole : null}
        tabs={tabsOf(issue)}
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

function tabsOf(issue: FindingDetail): Tab<(typeof parts)[number]>[] {
  const { id } = issue
  const canRepeat = 'http' in issue && issue.http?.request
  return [
    { value: 'what', name: 'Overview', content: <What issue={issue} /> },
    { value: 'one', name: 'Identity', content: <WhyOne issueId={id} /> },
    { value: 'worth', name: 'Priority', content: <Worth issueId={id} /> },
    { value: 'broken', name: 'Requirements', content: <Broken issueId={id} /> },
    { value: 'card', name: 'Card', content: <WorkItem issueId={id} /> },
    ...(canRepeat ? [{ value: 'again' as const, name: 'Reproduce', content: <Reproduce issue={issue} /> }] : []),
  ]
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
