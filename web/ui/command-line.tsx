// A command of Merlon's command line to copy, with where to get the command line.

import styles from './command-line.module.css'
import { CopyText } from './copy-text.tsx'

export function CommandLine({ command }: { command: string }) {
  return (
    <>
      <CopyText text={command} what="the command" />
      <details className={styles.how}>
        <summary>How to get this command</summary>
        <p>It comes with Merlon’s repository. In your clone, once in each shell:</p>
        <CopyText text={`alias merlon="node '$PWD/bin/merlon.mjs'"`} what="the alias" />
        <p>Then sign in once, with an API key:</p>
        <CopyText text={`merlon login --url ${location.origin}`} what="the sign-in command" />
      </details>
    </>
  )
}
