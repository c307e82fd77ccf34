// A text that is needed elsewhere, shown whole, with a button that copies it.

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { putOnClipboard } from '../util/clipboard.ts'
import { ActionButton } from './action-button.tsx'
import styles from './copy-text.module.css'

const SHOWN_FOR = 2_000

export function CopyText({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await putOnClipboard(text, what, `select ${what} and copy it`)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_FOR)
  }
  const name = `Copy ${what}`
  return (
    <span className={styles.copy}>
      <code className={styles.text}>{text}</code>
      <ActionButton tone="quiet" size="small" aria-label={name} hint={name} action={copy}>
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </ActionButton>
    </span>
  )
}
