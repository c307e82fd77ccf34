// The panel of one requirement: each check with the chain that decides it, from attack pattern to weakness to finding or scan.

import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useOutletContext, useParams } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { SidePanel } from '../../frame/side-panel.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { DeleteButton } from '../../ui/delete-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { to } from '../../util/path-builder.ts'
import { usePrinting } from '../../util/printing.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { counted, withSeverityWords, wordsOf } from '../../util/words.ts'
import { Chain } from './chain.tsx'
import { RequirementDialog } from './change.tsx'
import { WaiveDialog } from './dialogs.tsx'
import { type CheckDetail, DeleteRequirement, OneRequirement, type RequirementDetail } from './documents.ts'
import type { BesideRequirements } from './list.tsx'
import styles from './requirements.module.css'
import { StateWord } from './states.tsx'
import { weaknessesOf } from './weaknesses.ts'

const shape = { view: oneOf(['checks', 'graph'] as const, 'checks') }

export function Component() {
  const companyId = useCompanyId()
  const { requirementId = '' } = useParams()
  const beside = useOutletContext<BesideRequirements>()
  const answer = useAsk(OneRequirement, { companyId, id: requirementId }, { affectedBy: ['Check', 'Issue'] })
  const changed = async () => {
    await Promise.all([answer.again(), beside.again()])
  }
  return (
    <SidePanel label="Requirement" onClose={answer.data === undefined ? beside.close : undefined}>
      <Answered of={answer} lines={8}>
        {({ requirement }) => <Shown requirement={requirement} close={beside.close} changed={changed} />}
      </Answered>
    </SidePanel>
  )
}

type Props = { requirement: RequirementDetail; close: () => void; changed: () => Promise<void> }

function Shown({ requirement, close, changed }: Props) {
  const [{ view }, setState] = useUrlState(shape)
  const whole = useRef<HTMLDivElement>(null)
  const isPrinting = usePrinting()
  return (
    <article className="stack">
      <Head requirement={requirement} close={close} changed={changed} />
      <Tabs
        label="Requirement views"
        value={view}
        onChange={(next) => setState({ view: next }, { push: false })}
        whole={isPrinting ? whole : null}
        tabs={[
          { value: 'checks', name: 'Checks', content: <Checks requirement={requirement} changed={changed} /> },
          {
            value: 'graph',
            name: 'Graph',
            content: requirement.check.length === 0 ? UNCHECKED : <Chain checks={requirement.check} />,
          },
        ]}
      />
    </article>
  )
}

function Head({ requirement, close, changed }: Props) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const change = useChange()
  const { again } = useOutletContext<BesideRequirements>()
  const [isChanging, setChanging] = useState(false)
  const mayNot = whyNot(session, companyId, 'requirements:write')
  const remove = async () => {
    await change(DeleteRequirement, { input: { id: requirement.id } })
    say('Requirement deleted.')
    close()
    await again()
  }
  return (
    <>
      <header className={styles.header}>
        <div className={styles.top}>
          <span className="muted">
            {wordsOf(requirement.type.toUpperCase())}
            {requirement.project ? ` · ${requirement.project.label}` : ''}
          </span>
          <IconButton name="Close" size="small" onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
        <h2 className="words">{requirement.label}</h2>
        <div className="row">
          <Button size="small" onClick={() => setChanging(true)} disabledReason={mayNot}>
            Edit…
          </Button>
          <DeleteButton
            key={requirement.id}
            size="small"
            what="requirement"
            description={`“${requirement.label}” is permanently deleted with its checks and their waivers.`}
            disabledReason={mayNot}
            action={remove}
          />
        </div>
        {requirement.description && <p className="words muted">{requirement.description}</p>}
      </header>
      {isChanging && (
        <RequirementDialog
          key={requirement.id}
          companyId={companyId}
          requirement={requirement}
          onClose={() => setChanging(false)}
          onDone={changed}
        />
      )}
    </>
  )
}

const Checks = ({ requirement, changed }: Pick<Props, 'requirement' | 'changed'>) => (
  <ul className={styles.checks}>
    {requirement.check.map((check) => (
      <Check key={check.id} check={check} changed={changed} />
    ))}
    {requirement.check.length === 0 && <li>{UNCHECKED}</li>}
  </ul>
)

const UNCHECKED = (
  <p className="muted">
    It names no attack pattern, so findings and scans do not affect it. Its activities are on the project’s page.
  </p>
)

function Check({ check, changed }: { check: CheckDetail; changed: () => Promise<void> }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const [isWaiving, setWaiving] = useState(false)
  const mayNot = whyNot(session, companyId, 'requirements:waive')
  return (
    <li className={styles.check}>
      <div className="row">
        <StateWord of={check.state} />
        <strong>{check.label}</strong>
        {check.capecId && !check.label.startsWith(`CAPEC-${check.capecId}:`) && (
          <span className="muted code">CAPEC-{check.capecId}</span>
        )}
      </div>
      <p className="words">{withSeverityWords(check.stateReason)}</p>
      {/* of a waiver in effect, the sentence above says by whom, until when and why */}
      {check.waiver && check.state !== 'WAIVED' && (
        <p className="words muted">
          Waived by {check.waiver.by?.name ?? 'a former member'}, ended <Moment at={check.waiver.until} />:{' '}
          {check.waiver.reason}
        </p>
      )}
      {check.importId && (
        <p>
          <Link to={to.import({ companyId, importId: check.importId })}>Report that satisfied it</Link>
        </p>
      )}
      <FindingsOf check={check} />
      <details>
        <summary className="muted">{counted(check.cwes.length, 'weakness', 'weaknesses')}</summary>
        <ul className={styles.found}>
          {check.cwes.map(({ id, name }) => (
            <li key={id}>
              <span className="code">CWE-{id}</span> {name}
            </li>
          ))}
        </ul>
      </details>
      <div>
        <Button size="small" onClick={() => setWaiving(true)} disabledReason={mayNot}>
          {check.waiver ? 'Edit waiver…' : 'Waive…'}
        </Button>
      </div>
      {isWaiving && (
        <WaiveDialog
          check={check}
          onClose={() => setWaiving(false)}
          onDone={async () => {
            await changed()
            setWaiving(false)
          }}
        />
      )}
    </li>
  )
}

/** Some of the open findings that violate a check, and a link to all of them. */
function FindingsOf({ check }: { check: CheckDetail }) {
  const companyId = useCompanyId()
  const { openFindings, findings } = check
  if (findings.collection.length === 0) return null
  return (
    <ul className={styles.found}>
      {findings.collection.map(({ id, title, severity }) => (
        <li key={id} className="cut">
          <SeverityMark of={severity} /> <Link to={to.finding({ companyId, issueId: id })}>{title}</Link>
        </li>
      ))}
      {openFindings > findings.collection.length && (
        <li className="muted">
          <Link to={to.findings({ companyId }, weaknessesOf(check))}>All {counted(openFindings, 'open finding')}</Link>
        </li>
      )}
    </ul>
  )
}
