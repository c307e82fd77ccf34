// A command of Merlon's command line to copy, with where to get the command line.

import styles from './command-line.module.css'
import { CopyText } from './copy-text.tsx'

export function CommandLine({ command }: { command: string }) {
  return (
    <>
      <CopyText text={command} what="the command" />
      <details className={styles.how}>
        <summary>Where does this command come from?</summary>
        <p>It is in the clone of Merlon. There, once in each shell:</p>
        <CopyText text={`alias merlon="node '$PWD/bin/merlon.mjs'"`} what="the alias" />
        <p>Then, once, with this server’s address and a key:</p>
        <CopyText text={`merlon login --url ${location.origin}`} what="the sign-in" />
      </details>
    </>
  )
}
