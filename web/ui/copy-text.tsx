// A text that somebody needs elsewhere, whole, with a button that copies it.

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { say } from '../frame/toasts.tsx'
import { IconButton } from './button.tsx'
import styles from './copy-text.module.css'

const SHOWN_FOR = 2_000

export function CopyText({ text, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_FOR)
      say(`Copied ${what}.`)
    } catch {
      say(`The browser does not let this page copy; select ${what} and copy it.`, 'bad')
    }
  }
  return (
    <span className={styles.copy}>
      <code className={styles.text}>{text}</code>
      <IconButton name={`Copy ${what}`} size="small" onClick={copy}>
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </IconButton>
    </span>
  )
}
