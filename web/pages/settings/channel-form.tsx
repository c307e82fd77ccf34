// The form of a notification channel: its destination, its topics, the minimum severity, and when to send.

import { useState } from 'react'
import type { EnumOf } from '../../api/graphql.ts'
import { useFindPeopleByEmail } from '../../choices/people.ts'
import { SelectField, TextField } from '../../forms/field.tsx'
import { type Filled, Form } from '../../forms/form.tsx'
import { SearchField } from '../../forms/search-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { severities } from '../../ui/severity.tsx'
import { wordsOf } from '../../util/words.ts'
import {
  type Channel,
  type ChannelRule,
  clock,
  hasSeverity,
  kinds,
  kindWords,
  topics,
  topicWords,
} from './channel-documents.ts'
import styles from './settings.module.css'

type Props = {
  companyId: string
  title: string
  submit: string
  /** the channel being edited */
  channel?: Channel
  action: (filled: Filled) => Promise<void>
  onClose: () => void
}

const times = [
  { value: 'IMMEDIATELY', label: 'immediately' },
  { value: 'DAILY', label: 'in the daily digest' },
] as const satisfies readonly { value: EnumOf<'NotificationTime'>; label: string }[]

/** The form's values as the contract takes them; an address left empty is not changed. */
export const writtenInChannel = (filled: Filled, type: Channel['type']) => ({
  name: filled.text('name'),
  digestHour: Number(filled.text('digestHour')),
  ...(type === 'EMAIL'
    ? { emails: filled.all('emails').filter((email) => email !== '') }
    : { url: filled.optional('url') ?? undefined }),
  rules: topics.flatMap((topic): ChannelRule[] => {
    const when = times.find(({ value }) => value === filled.text(`when ${topic}`))?.value
    if (when === undefined) return []
    return [{ topic, when, minimumSeverity: filled.oneOf(`severity ${topic}`, severities) ?? 'NOTIFICATION' }]
  }),
})

export function ChannelForm({ companyId, title, submit, channel, action, onClose }: Props) {
  const find = useFindPeopleByEmail(companyId)
  const [kind, setKind] = useState<EnumOf<'NotificationChannelType'>>(channel?.type ?? 'EMAIL')
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Form action={action} submit={submit} onCancel={onClose}>
        <TextField name="name" label="Name" required defaultValue={channel?.name} placeholder="Security team" />
        {channel === undefined && (
          <SelectField
            name="type"
            label="Channel type"
            options={kinds.map((value) => ({ value, label: kindWords[value] }))}
            value={kind}
            onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? 'EMAIL')}
          />
        )}
        {kind === 'EMAIL' ? (
          <SearchField
            name="emails"
            label="Recipients"
            kind="some"
            find={find}
            what="people"
            initial={channel?.emails.map((email) => ({ id: email, name: email })) ?? []}
            hint="Only members of the company."
          />
        ) : (
          <TextField
            key={kind}
            name="url"
            label="Incoming webhook URL"
            type="url"
            required={channel === undefined}
            placeholder={channel?.host ? `https://${channel.host}/…` : 'https://hooks.example.com/…'}
            hint={
              channel === undefined ? 'Stored encrypted and not shown again.' : 'Leave empty to keep the current URL.'
            }
          />
        )}
        <Rules rules={channel?.rules} />
        <SelectField
          name="digestHour"
          label="Daily digest time"
          options={Array.from({ length: 24 }, (_, hour) => ({ value: `${hour}`, label: `${clock(hour)} UTC` }))}
          defaultValue={`${channel?.digestHour ?? 6}`}
        />
      </Form>
    </Dialog>
  )
}

/** The default for a new channel: what most people want to hear of at once. */
const usual: readonly ChannelRule[] = (
  ['SLA_BROKEN', 'KNOWN_EXPLOITED', 'GATE_BLOCKED', 'INTEGRATION_BROKEN'] as const
).map((topic) => ({ topic, when: 'IMMEDIATELY', minimumSeverity: 'HIGH' }))

function Rules({ rules = usual }: { rules?: readonly ChannelRule[] | undefined }) {
  return (
    <fieldset className={styles.topics}>
      <legend>Events</legend>
      {topics.map((topic) => {
        const rule = rules.find((one) => one.topic === topic)
        return (
          <div key={topic} className={styles.topic}>
            <span>{topicWords[topic]}</span>
            {hasSeverity(topic) && (
              <select
                name={`severity ${topic}`}
                aria-label={`${topicWords[topic]}: minimum severity`}
                defaultValue={rule?.minimumSeverity ?? 'HIGH'}
              >
                {severities.map((severity) => (
                  <option key={severity} value={severity}>
                    {severity === 'CRITICAL' ? 'critical' : `${wordsOf(severity).toLowerCase()} and above`}
                  </option>
                ))}
              </select>
            )}
            <select name={`when ${topic}`} aria-label={`${topicWords[topic]}: when`} defaultValue={rule?.when ?? ''}>
              <option value="">off</option>
              {times.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )
      })}
    </fieldset>
  )
}
