// One activity of a requirement: its progress, and the files that prove it.

import { useState } from 'react'
import { useAct } from '../../api/act.ts'
import { useChange } from '../../api/ask.ts'
import { Failure } from '../../api/failure.ts'
import type { EnumOf } from '../../api/graphql.ts'
import { upload } from '../../api/upload.ts'
import { say } from '../../frame/toasts.tsx'
import { ChooseFiles } from '../../ui/drop-area.tsx'
import { size, wordsOf } from '../../util/words.ts'
import { AddEvidence, ChangeActivity, type ProjectRequirement } from './documents.ts'
import styles from './projects.module.css'

const statuses = [
  'NOT_STARTED',
  'IN_PROGRESS',
  'DONE',
  'NOT_APPLICABLE',
] as const satisfies readonly EnumOf<'ActivityStatus'>[]

type Props = {
  of: ProjectRequirement['activities'][number]
  mayNot: string | undefined
  again: () => Promise<void>
}

export function Activity({ of: { id, title, status, evidences }, mayNot, again }: Props) {
  const change = useChange()
  const { act, failure } = useAct()
  const [sending, setSending] = useState<string>()
  /** The optimistic value, until the server has answered. */
  const [chosen, setChosen] = useState<EnumOf<'ActivityStatus'>>()
  const set = async (next: EnumOf<'ActivityStatus'>) => {
    setChosen(next)
    await act(async () => {
      await change(ChangeActivity, { input: { id, status: next } })
      await again()
    })
    setChosen((now) => (now === next ? undefined : now))
  }
  const add = ([file]: readonly File[]) =>
    act(async () => {
      if (!file) return
      setSending(file.name)
      try {
        const { addActivityAttachment } = await upload(
          AddEvidence,
          { input: { activityId: id } },
          { file, at: 'input.archive' },
        )
        const [wrong] = addActivityAttachment?.errors ?? []
        if (wrong !== undefined) throw new Failure(wrong, 'BAD_USER_INPUT')
        say(`${file.name} added as evidence.`)
        await again()
      } finally {
        setSending(undefined)
      }
    })
  return (
    <li className={styles.activity}>
      <select
        aria-label={`Status of ${title}`}
        value={chosen ?? status}
        disabled={mayNot !== undefined}
        title={mayNot}
        onChange={(event) => {
          const next = statuses.find((one) => one === event.target.value)
          if (next) void set(next)
        }}
      >
        {statuses.map((one) => (
          <option key={one} value={one}>
            {wordsOf(one)}
          </option>
        ))}
      </select>
      <div className={styles.activityWords}>
        <span>{title}</span>
        {sending !== undefined && <span role="status">Uploading {sending}</span>}
        {sending === undefined && mayNot === undefined && (
          <ChooseFiles onFiles={(files) => void add(files)}>
            Add evidence<span className="heard"> for {title}</span>
          </ChooseFiles>
        )}
        {failure && (
          <span role="alert" className={styles.failure}>
            {failure.message}
          </span>
        )}
        {evidences.length > 0 && (
          <ul className={styles.evidence} aria-label={`Evidence for ${title}`}>
            {evidences.map((evidence) => (
              <li key={evidence.id}>
                <a href={evidence.downloadUrl}>{evidence.filename}</a> {size(evidence.size)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
