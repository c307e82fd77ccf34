// A switch between a few ways to look at something.

import { wordsOf } from '../util/words.ts'
import { Button } from './button.tsx'
import styles from './choice.module.css'

type Props<T extends string> = { label: string; options: readonly T[]; value: T; onChange: (value: T) => void }

export const Choice = <T extends string>({ label, options, value, onChange }: Props<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form, and nothing is submitted here
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
