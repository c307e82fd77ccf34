// Names the format of a report that was not recognised by its content, and imports it again as that.

import type { FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './asset.module.css'

export function NamedFormat({ onNamed }: { onNamed: (format: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const format = new FormData(event.currentTarget).get('format')
    if (typeof format === 'string') onNamed(format.trim())
  }
  return (
    <form onSubmit={submit} className="row">
      <label className="row">
        Format
        <input name="format" required autoComplete="off" spellCheck={false} className={styles.format} />
      </label>
      <Button type="submit" size="small">
        Import as this format
      </Button>
    </form>
  )
}
