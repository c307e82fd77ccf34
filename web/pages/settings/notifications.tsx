// The page of notifications: whom the company tells of events, and how, by mail to members or through a Slack or Teams channel.

import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { whyNot } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import type { Filled } from '../../forms/form.tsx'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { say } from '../../frame/toasts.tsx'
import { Rest } from '../../table/rest.tsx'
import { useList } from '../../table/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Awaited, Failed } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { wordsOf } from '../../util/words.ts'
import {
  type Channel,
  type ChannelRule,
  Channels,
  CreateChannel,
  clock,
  DeleteChannel,
  hasSeverity,
  kinds,
  kindWords,
  TestChannel,
  topicWords,
  UpdateChannel,
} from './channel-documents.ts'
import { ChannelForm, writtenInChannel } from './channel-form.tsx'
import { inSettings } from './crumbs.ts'
import styles from './settings.module.css'

export function Component() {
  const companyId = useCompanyId()
  const { session } = useSession()
  const mayNot = whyNot(session, companyId, 'webhooks:read')
  if (mayNot === undefined) return <Shown companyId={companyId} mayNot={whyNot(session, companyId, 'webhooks:write')} />
  return (
    <Page title="Notifications" crumbs={inSettings(companyId)}>
      <Empty title={mayNot} />
    </Page>
  )
}

function Shown({ companyId, mayNot }: { companyId: string; mayNot: string | undefined }) {
  const change = useChange()
  const list = useList(Channels, { companyId }, ({ notificationChannels }) => notificationChannels)
  const [isMaking, setMaking] = useState(false)
  const create = async (filled: Filled) => {
    const type = filled.oneOf('type', kinds) ?? 'EMAIL'
    const written = writtenInChannel(filled, type)
    await change(CreateChannel, { input: { companyId, type, ...written } }, ['NotificationChannel'])
    await list.again()
    setMaking(false)
    say(`Channel ${written.name} created.`)
  }
  return (
    <Page
      title="Notifications"
      crumbs={inSettings(companyId)}
      actions={
        <Button tone="main" disabledReason={mayNot} onClick={() => setMaking(true)}>
          New channel
        </Button>
      }
    >
      {list.failure && <Failed failure={list.failure} again={() => void list.again()} />}
      {list.isWaiting && <Awaited lines={2} />}
      {!list.isWaiting && !list.failure && list.rows.length === 0 && (
        <Empty title="No notification channels yet">
          <p>
            A channel notifies members by email, Slack or Teams when findings become overdue or a deploy is blocked.
          </p>
          <Button tone="main" disabledReason={mayNot} onClick={() => setMaking(true)}>
            Create a channel
          </Button>
        </Empty>
      )}
      <ul className={styles.rules} aria-label="Channels">
        {list.rows.map((channel) => (
          <ChannelRow key={channel.id} companyId={companyId} channel={channel} mayNot={mayNot} again={list.again} />
        ))}
      </ul>
      <Rest of={list} what="channel" />
      {isMaking && (
        <ChannelForm
          companyId={companyId}
          title="New channel"
          submit="Create channel"
          action={create}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  )
}

type RowProps = { companyId: string; channel: Channel; mayNot: string | undefined; again: () => Promise<void> }

function ChannelRow({ companyId, channel, mayNot, again }: RowProps) {
  const change = useChange()
  const [open, setOpen] = useState<'change' | 'delete' | null>(null)
  const { id, name, type, isEnabled } = channel
  const close = () => setOpen(null)
  const test = async () => {
    const { testNotificationChannel } = await change(TestChannel, { input: { id } }, ['NotificationChannel'])
    await again()
    const failure = testNotificationChannel?.failure
    if (failure != null) throw new Error(`Test message to ${name} failed: ${failure}`)
    say(`Test message sent to ${name}.`)
  }
  const update = async (input: { isEnabled?: boolean } | ReturnType<typeof writtenInChannel>) => {
    await change(UpdateChannel, { input: { id, ...input } }, ['NotificationChannel'])
    await again()
  }
  const buttons = [
    { word: 'Test', does: test },
    { word: isEnabled ? 'Disable' : 'Enable', does: () => update({ isEnabled: !isEnabled }) },
    { word: 'Edit…', does: async () => setOpen('change') },
    { word: 'Delete', does: async () => setOpen('delete') },
  ]
  return (
    <li className={styles.webhook}>
      <Told of={channel} />
      <div className="row">
        {buttons.map(({ word, does }) => (
          <ActionButton
            key={word}
            size="small"
            tone={word === 'Delete' ? 'danger' : 'plain'}
            aria-label={`${word} – ${name}`}
            disabledReason={mayNot}
            action={does}
          >
            {word}
          </ActionButton>
        ))}
      </div>
      {open === 'change' && (
        <ChannelForm
          companyId={companyId}
          title="Edit channel"
          submit="Save"
          channel={channel}
          action={async (filled) => {
            await update(writtenInChannel(filled, type))
            close()
          }}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete channel"
          description={`${name} no longer receives notifications.`}
          submit="Delete channel"
          action={async () => {
            await change(DeleteChannel, { input: { id } }, ['NotificationChannel'])
            await again()
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

function Told({ of }: { of: Channel }) {
  const { name, type, host, emails, isEnabled, rules, digestHour, lastFailure, lastSentAt } = of
  const [now, daily] = [
    rules.filter(({ when }) => when === 'IMMEDIATELY'),
    rules.filter(({ when }) => when === 'DAILY'),
  ]
  return (
    <div className={styles.told}>
      <p>
        <StandingWord of={isEnabled ? 'good' : 'bad'}>{isEnabled ? 'On' : 'Off'}</StandingWord>{' '}
        <strong className="words">{name}</strong>{' '}
        <span className="muted words">
          {type === 'EMAIL' ? `Email to ${emails.join(', ')}` : `${kindWords[type]} at ${host}`}
        </span>
      </p>
      {now.length > 0 && <p className="muted">Immediately: {now.map(wordsOfRule).join('; ')}</p>}
      {daily.length > 0 && (
        <p className="muted">
          Daily at {clock(digestHour)} UTC: {daily.map(wordsOfRule).join('; ')}
        </p>
      )}
      {lastFailure !== null && <p className="words">The last message failed: {lastFailure}</p>}
      {lastSentAt !== null && (
        <p className="muted">
          Last sent <Moment at={lastSentAt} />
        </p>
      )}
    </div>
  )
}

function wordsOfRule({ topic, minimumSeverity }: ChannelRule): string {
  if (!hasSeverity(topic)) return topicWords[topic].toLowerCase()
  const from = minimumSeverity === 'CRITICAL' ? 'critical' : `${wordsOf(minimumSeverity).toLowerCase()} and above`
  return `${topicWords[topic].toLowerCase()} (${from})`
}
