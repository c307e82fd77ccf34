// Previews what a synchronisation would do under a mapping, step by step, without doing it.

import { useAsk } from '../../api/ask.ts'
import type { VariablesOf } from '../../api/graphql.ts'
import { Answered } from '../../ui/answered.tsx'
import { withStatusWords, wordsOf } from '../../util/words.ts'
import { Preview } from './documents.ts'
import styles from './integrations.module.css'

type Props = {
  configurationId: string
  /** the mapping to preview; the configuration's own by default */
  statusMappings?: VariablesOf<typeof Preview>['statusMappings']
}

export function WouldDo({ configurationId, statusMappings }: Props) {
  const answer = useAsk(Preview, { id: configurationId, statusMappings })
  return (
    <Answered of={answer} lines={4}>
      {({ previewSync }) =>
        previewSync.steps.length === 0 ? (
          <p>No changes: all cards and findings are in sync.</p>
        ) : (
          <ul className={styles.steps} aria-label="Sync steps">
            {previewSync.steps.map(({ action, from, to, issue, reason }, index) => {
              // States are the tracker's own words, whereas statuses are the contract's names.
              const said = (word: string) => (action === 'UPDATE_FINDING' ? wordsOf(word) : word)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps have nothing else to identify them
                <li key={index} className="words">
                  <strong>{wordsOf(action)}</strong> {issue?.title}
                  {from !== null && `: ${said(from)}`}
                  {to !== null && (action === 'CREATE' ? ` in ${said(to)}` : ` → ${said(to)}`)}
                  <div className="muted">{withStatusWords(reason)}</div>
                </li>
              )
            })}
            {previewSync.isCut && <li className="muted">and more</li>}
          </ul>
        )
      }
    </Answered>
  )
}
