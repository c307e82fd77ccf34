// The list of keyboard shortcuts, which `?` opens.

import { Fragment } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import styles from './key-help.module.css'

const groups: { of: string; keys: [string, string][] }[] = [
  {
    of: 'Everywhere',
    keys: [
      ['Ctrl K', 'Search, go anywhere, do what the page does'],
      ['?', 'This list'],
      ['/', 'Search in the page'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    of: 'In a list',
    keys: [
      ['j or ↓', 'Next row'],
      ['k or ↑', 'Row before'],
      ['Enter', 'Open the row'],
      ['x', 'Choose the row, or not'],
      ['d', 'Decide on the row or on all chosen'],
    ],
  },
  {
    of: 'In a finding',
    keys: [
      ['d', 'Decide'],
      ['a', 'Assign'],
      ['Ctrl P', 'Print all that is known of it'],
    ],
  },
]

export default function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
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
