// The layout that every page shares: breadcrumbs, a title with a count, actions, filters, and the content.

import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import styles from './page.module.css'

export type Crumb = { name: string; path: string }

type Props = {
  title: string
  /** The pages above this one, outermost first. */
  crumbs?: readonly Crumb[]
  /** A count, such as `12,481 open`. */
  count?: ReactNode
  /** Of what it is made up, beside the count. */
  counts?: ReactNode
  actions?: ReactNode
  filters?: ReactNode
  /** Whether the content fills the page and scrolls by itself, as long tables do. */
  isFilled?: boolean
  children: ReactNode
}

export function Page({ title, crumbs = [], count, counts, actions, filters, isFilled = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} – Merlon`
  }, [title])
  return (
    <div className={isFilled ? `${styles.sheet} ${styles.filled}` : styles.sheet}>
      <header className={styles.head}>
        <div className={styles.title}>
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol className={styles.crumbs}>
                {crumbs.map(({ name, path }) => (
                  <li key={path}>
                    <Link to={path}>{name}</Link>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1>{title}</h1>
          {count !== undefined && (
            <span className={styles.count} aria-live="polite">
              {count}
            </span>
          )}
          {counts}
        </div>
        {actions && <div className={`${styles.actions} row unprinted`}>{actions}</div>}
      </header>
      {filters && <div className={`${styles.filters} unprinted`}>{filters}</div>}
      <div className={styles.content}>{children}</div>
    </div>
  )
}
