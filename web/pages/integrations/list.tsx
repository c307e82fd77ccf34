// The page of a company's connected tools: a row each with its health in a sentence, and how to connect more.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { useList } from '../../table/use-list.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { lateDialog, latePart } from '../../ui/late.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ids, oneOf, useUrlState } from '../../util/url-state.ts'
import type { Open } from './connected.tsx'
import { Disconnect, type Integration, Integrations, Unmap } from './documents.ts'
import { isKind, kinds } from './kinds.ts'
import type { Mapped } from './mapped.ts'
import { Tools } from './tools.tsx'
import { useMapped } from './use-mapped.ts'

const Connect = lateDialog(() => import('./connect.tsx'))
const Mapping = lateDialog(() => import('./mapping.tsx'))
const Remap = lateDialog(() => import('./remap.tsx'))
const Told = latePart(() => import('./told.tsx'), 8)
const Deliveries = latePart(() => import('./deliveries.tsx'), 8)
const Projects = lateDialog(() => import('./projects.tsx'))

/** `connected` is the integration that a consent has just created, whose next step is shown. */
const shape = { tab: oneOf(['tools', 'exchanges', 'decisions'] as const, 'tools'), connected: ids() }

export function Component() {
  const companyId = useCompanyId()
  const change = useChange()
  const [{ tab, connected }, setState] = useUrlState(shape)
  const [open, setOpen] = useState<Open | null>(null)
  const list = useList(Integrations, { companyId }, ({ integrations }) => integrations)
  const mapped = useMapped(companyId)
  const again = async () => void (await Promise.all([list.again(), mapped.again()]))
  const consented = list.rows.find(({ id }) => id === connected[0])
  const consentedKind = consented && isKind(consented.integrationType) ? consented.integrationType : undefined
  const done = () => {
    setOpen(null)
    setState({ connected: [] }, { push: false })
    void again()
  }
  /** The dialog stays open until the list has the change. */
  const changed = async () => {
    await again()
    setOpen(null)
  }
  const disconnect = async ({ id }: Integration, name: string) => {
    await change(Disconnect, { input: { id } })
    say(`${name} disconnected.`)
    await again()
  }
  const unmap = async ({ id }: Mapped) => {
    await change(Unmap, { input: { id } })
    say('Mapping deleted.')
    await again()
  }
  return (
    <Page title="Integrations">
      <Tabs
        label="Integrations"
        value={tab}
        onChange={(next) => setState({ tab: next })}
        tabs={[
          {
            value: 'tools',
            name: 'Tools',
            content: <Tools list={list} mapped={mapped} setOpen={setOpen} />,
          },
          {
            value: 'exchanges',
            name: 'Tracker sync log',
            content: <Deliveries />,
          },
          {
            value: 'decisions',
            name: 'Decisions sent to scanners',
            content: <Told />,
          },
        ]}
      />
      {consented && consentedKind && (
        <Connect
          kind={consentedKind}
          integration={undefined}
          connectedId={consented.id}
          addAnother={false}
          onClose={done}
          onDone={done}
        />
      )}
      {open?.what === 'connect' && (
        <Connect
          kind={open.kind}
          integration={open.integration}
          addAnother={open.addAnother ?? false}
          onClose={() => setOpen(null)}
          onDone={open.integration ? changed : done}
        />
      )}
      {open?.what === 'map' && (
        <Mapping kind={open.kind} integrationId={open.integration.id} onClose={() => setOpen(null)} onDone={done} />
      )}
      {open?.what === 'projects' && (
        <Projects kind={open.kind} integrationId={open.integration.id} onClose={() => setOpen(null)} onDone={changed} />
      )}
      {open?.what === 'remap' && <Remap mapped={open.mapped} onClose={() => setOpen(null)} onDone={changed} />}
      {open?.what === 'unmap' && (
        <Confirm
          title="Delete mapping"
          description={`Cards in ${open.mapped.where} stay but are no longer synced.`}
          submit="Delete mapping"
          action={() => unmap(open.mapped)}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === 'disconnect' && (
        <Confirm
          title={`Disconnect ${kinds[open.kind].name}`}
          description="Its credential and mappings are deleted. Imported data stays."
          submit="Disconnect"
          action={() => disconnect(open.integration, kinds[open.kind].name)}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}
