// The list of keyboard shortcuts, which `?` opens.

import { Fragment } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import styles from './key-help.module.css'

const groups: { of: string; keys: [string, string][] }[] = [
  {
    of: 'Everywhere',
    keys: [
      ['Ctrl K', 'Search, go to a page, run an action'],
      ['?', 'Show keyboard shortcuts'],
      ['/', 'Search this page'],
      ['Esc', 'Close'],
    ],
  },
  {
    of: 'In a list',
    keys: [
      ['j or ↓', 'Next row'],
      ['k or ↑', 'Previous row'],
      ['Enter', 'Open the row'],
      ['x', 'Select or deselect the row'],
      ['d', 'Decide on the row or the selection'],
    ],
  },
  {
    of: 'In a finding',
    keys: [
      ['d', 'Decide'],
      ['a', 'Assign'],
      ['Ctrl P', 'Print the finding with all its tabs'],
    ],
  },
]

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <div className="stack">
        {groups.map(({ of, keys }) => (
          <section key={of}>
            <h3>{of}</h3>
            <dl className={styles.keys}>
              {keys.map(([key, does]) => (
                <Fragment key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
