// The tools that a company is connected with: a row for each with its health in a sentence, and how to connect more.

import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useAsk, useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { oneOf, useUrlState } from '../../util/url-state.ts'
import { Disconnect, type Integration, Integrations, type IntegrationsAnswer } from './documents.ts'
import styles from './integrations.module.css'
import { isKind, type Kind, kindNames, kinds, whereOf } from './kinds.ts'

const Connect = lazy(() => import('./connect.tsx'))
const Mapping = lazy(() => import('./mapping.tsx'))
const Deliveries = lazy(() => import('./deliveries.tsx'))
const Projects = lazy(() => import('./projects.tsx'))

const shape = { tab: oneOf(['tools', 'exchanges'] as const, 'tools') }

type Open =
  | { what: 'connect'; kind: Kind; integration?: Integration; addAnother?: boolean }
  | { what: 'map' | 'disconnect' | 'projects'; kind: Kind; integration: Integration }

export function Component() {
  const companyId = useCompanyId()
  const change = useChange()
  const [{ tab }, setState] = useUrlState(shape)
  const [open, setOpen] = useState<Open | null>(null)
  const answer = useAsk(Integrations, { companyId }, { affectedBy: ['HostAIntegration', 'DefectTrackerConfiguration'] })
  const done = () => {
    setOpen(null)
    answer.again()
  }
  const disconnect = async ({ id }: Integration, name: string) => {
    await change(Disconnect, { input: { id } })
    say(`${name} is disconnected.`)
    answer.again()
  }
  return (
    <Page title="Integrations">
      <Tabs
        label="Tools and exchanges"
        value={tab}
        onChange={(next) => setState({ tab: next })}
        tabs={[
          {
            value: 'tools',
            name: 'Tools',
            content: <Answered of={answer}>{(found) => <Tools found={found} setOpen={setOpen} />}</Answered>,
          },
          {
            value: 'exchanges',
            name: 'Exchanges with trackers',
            content: (
              <Suspense>
                <Deliveries />
              </Suspense>
            ),
          },
        ]}
      />
      <Suspense>
        {open?.what === 'connect' && (
          <Connect
            kind={open.kind}
            integration={open.integration}
            addAnother={open.addAnother ?? false}
            onClose={() => setOpen(null)}
            onDone={done}
          />
        )}
        {open?.what === 'map' && (
          <Mapping kind={open.kind} integration={open.integration} onClose={() => setOpen(null)} onDone={done} />
        )}
        {open?.what === 'projects' && (
          <Projects kind={open.kind} integration={open.integration} onClose={() => setOpen(null)} onDone={done} />
        )}
      </Suspense>
      {open?.what === 'disconnect' && (
        <Confirm
          title={`Disconnect ${kinds[open.kind].name}`}
          description="Its credential and its mappings go with it; what came from it stays."
          submit="Disconnect it"
          action={() => disconnect(open.integration, kinds[open.kind].name)}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}

function Tools({ found, setOpen }: { found: IntegrationsAnswer; setOpen: (open: Open) => void }) {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'integrations:write')
  return (
    <ul className={styles.tools}>
      {kindNames.map((kind) => {
        const { name, what } = kinds[kind]
        const own = found.integrations.collection.filter(({ integrationType }) => integrationType === kind)
        return (
          <li key={kind} className={styles.tool}>
            <div className={styles.about}>
              <h2>{name}</h2>
              <p className="muted">{what}</p>
            </div>
            <div className={styles.own}>
              {own.map((integration) => (
                <Connected
                  key={integration.id}
                  integration={integration}
                  found={found}
                  mayNot={mayNot}
                  setOpen={setOpen}
                />
              ))}
              {own.length === 0 ? (
                <Button
                  tone="main"
                  aria-label={`Connect ${name}`}
                  disabledReason={mayNot}
                  onClick={() => setOpen({ what: 'connect', kind })}
                >
                  Connect
                </Button>
              ) : (
                <Button
                  size="small"
                  aria-label={`Add another ${name}`}
                  disabledReason={mayNot}
                  onClick={() => setOpen({ what: 'connect', kind, addAnother: true })}
                >
                  Add another…
                </Button>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type ConnectedProps = {
  integration: Integration
  found: IntegrationsAnswer
  mayNot: string | undefined
  setOpen: (open: Open) => void
}

function Connected({ integration, found, mayNot, setOpen }: ConnectedProps) {
  const companyId = useCompanyId()
  const { id, integrationType: type } = integration
  if (!isKind(type)) return null
  const { name } = kinds[type]
  const isTracker = type === 'BOARDS_TRACKER' || type === 'TASK_TRACKER'
  const mappings = [
    ...found.defectTrackerConfigurations.collection
      .filter(({ integration: of }) => of.id === id)
      .map(({ id: key, asset, boardsTrackerDetail }) => ({
        key,
        asset,
        where: `${boardsTrackerDetail?.project.name} / ${boardsTrackerDetail?.board.name}`,
      })),
    ...found.taskTrackerConfigurations.collection
      .filter(({ integration: of }) => of.id === id)
      .map(({ id: key, asset, list }) => ({ key, asset, where: list.name })),
  ]
  return (
    <div className={styles.connected}>
      <p>
        <Health of={integration} />
      </p>
      {whereOf(integration) && <p className="muted">{whereOf(integration)}</p>}
      {mappings.map(({ key, asset, where }) => (
        <p key={key} className="muted">
          {asset ? <Link to={to.asset({ companyId, assetId: asset.id })}>{asset.name}</Link> : 'Every asset'} → {where}
        </p>
      ))}
      <div className="row">
        <Button
          size="small"
          disabledReason={mayNot}
          onClick={() => setOpen({ what: 'connect', kind: type, integration })}
        >
          Change…
        </Button>
        {isTracker ? (
          <Button
            size="small"
            disabledReason={mayNot}
            onClick={() => setOpen({ what: 'map', kind: type, integration })}
          >
            Map a board…
          </Button>
        ) : (
          <Button
            size="small"
            disabledReason={mayNot}
            onClick={() => setOpen({ what: 'projects', kind: type, integration })}
          >
            Projects…
          </Button>
        )}
        <Button
          size="small"
          tone="danger"
          aria-label={`Disconnect ${name}`}
          disabledReason={mayNot}
          onClick={() => setOpen({ what: 'disconnect', kind: type, integration })}
        >
          Disconnect
        </Button>
      </div>
    </div>
  )
}

function Health({ of: { brokenSince, hasCredential, updatedAt } }: { of: Integration }) {
  if (brokenSince !== null) {
    return (
      <>
        <StandingWord of="bad">Refused</StandingWord> Its credential is refused since <Moment at={brokenSince} />; give
        it another one.
      </>
    )
  }
  if (!hasCredential) {
    return (
      <>
        <StandingWord of="plain">Waiting</StandingWord> It has no credential yet.
      </>
    )
  }
  return (
    <>
      <StandingWord of="good">Connected</StandingWord> <span className="muted">changed </span>
      <Moment at={updatedAt} />
    </>
  )
}
