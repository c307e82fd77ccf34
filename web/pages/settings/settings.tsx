// The list of all settings, each with what it is for.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { settingsParts } from '../../frame/settings-parts.ts'
import styles from './settings.module.css'

export function Component() {
  const companyId = useCompanyId()
  return (
    <Page title="Settings">
      <div className={styles.policies}>
        <ul className={styles.rules}>
          {settingsParts(companyId).map(({ name, path, what }) => (
            <li key={path}>
              <Link to={path} className={styles.part}>
                {name}
              </Link>
              <span className="muted">{what}</span>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  )
}
