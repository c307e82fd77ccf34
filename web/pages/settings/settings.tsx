// What can be set, each with what it is for.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { to } from '../../util/path-builder.ts'
import styles from './settings.module.css'

export function Component() {
  const companyId = useCompanyId()
  const at = { companyId }
  const parts = [
    { name: 'Company', path: to.companySettings(at), what: 'what it is called' },
    { name: 'People', path: to.users(at), what: 'who belongs to the company, and what each may do' },
    { name: 'API keys', path: to.apiKeys(at), what: 'keys of your own, for pipelines and tools' },
    { name: 'Policies', path: to.policies(at), what: 'what the gate allows, and by when findings are to be fixed' },
    { name: 'Identity rules', path: to.identityRules(at), what: 'what makes two reports one finding' },
    { name: 'Notifications', path: to.notifications(at), what: 'who is told by mail, Slack or Teams, and of what' },
    { name: 'Webhooks', path: to.webhooks(at), what: 'what is sent out when something happens' },
    { name: 'Record of changes', path: to.audit(at), what: 'who did what, when and from where' },
    { name: 'Limits and API', path: to.limits(at), what: 'what one request may hold, and a place to try' },
  ]
  return (
    <Page title="Settings">
      <div className={styles.policies}>
        <ul className={styles.rules}>
          {parts.map(({ name, path, what }) => (
            <li key={path}>
              <span className={styles.rule}>
                <Link to={path}>{name}</Link> <span className="muted">– {what}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  )
}
