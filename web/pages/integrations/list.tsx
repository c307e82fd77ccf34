// The page of a company's connected tools: a row each with its health in a sentence, and how to connect more.

import { useState } from 'react'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { useList } from '../../table/use-list.ts'
import { latePart } from '../../ui/late.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ids, oneOf, useUrlState } from '../../util/url-state.ts'
import type { Open } from './connected.tsx'
import { type Integration, Integrations } from './documents.ts'
import { isKind } from './kinds.ts'
import { IntegrationDialogs } from './list-dialogs.tsx'
import { Tools } from './tools.tsx'
import { useMapped } from './use-mapped.ts'

const Told = latePart(() => import('./told.tsx'), 8)
const Deliveries = latePart(() => import('./deliveries.tsx'), 8)

/** `connected` is the integration that a consent has just created, whose next step is shown. */
const shape = { tab: oneOf(['tools', 'exchanges', 'decisions'] as const, 'tools'), connected: ids() }

export function Component() {
  const companyId = useCompanyId()
  const [{ tab, connected }, setState] = useUrlState(shape)
  const [open, setOpen] = useState<Open | null>(null)
  const list = useList(Integrations, { companyId }, ({ integrations }) => integrations)
  const mapped = useMapped(companyId)
  const again = async () => void (await Promise.all([list.again(), mapped.again()]))
  const consented = list.rows.find(({ id }) => id === connected[0])
  const shown = open ?? (consented ? nextStepOf(consented) : null)
  const done = () => {
    setOpen(null)
    setState({ connected: [] }, { push: false })
    void again()
  }
  const close = () => (consented ? done() : setOpen(null))
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
      {shown && <IntegrationDialogs open={shown} onClose={close} onDone={done} again={again} />}
    </Page>
  )
}

const nextStepOf = ({ id, integrationType }: Integration): Open | null =>
  isKind(integrationType) ? { what: 'connect', kind: integrationType, connectedId: id } : null
