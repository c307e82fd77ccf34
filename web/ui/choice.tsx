// A few ways to look at a thing, of which one is on.

import { wordsOf } from '../util/words.ts'
import { Button } from './button.tsx'
import styles from './choice.module.css'

type Props<T extends string> = { label: string; options: readonly T[]; value: T; onChange: (value: T) => void }

export const Choice = <T extends string>({ label, options, value, onChange }: Props<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent
  <div role="group" aria-label={label} className={styles.choice}>
    {options.map((option) => (
      <Button
        key={option}
        size="small"
        tone={option === value ? 'plain' : 'quiet'}
        aria-pressed={option === value}
        onClick={() => onChange(option)}
      >
        {wordsOf(option.toUpperCase())}
      </Button>
    ))}
  </div>
)
