// The pages of the settings with what each is for, shared by the settings list and the command palette.

import { to } from '../util/path-builder.ts'

export const settingsParts = (companyId: string) => {
  const at = { companyId }
  return [
    { name: 'Company', path: to.companySettings(at), what: 'name and short name' },
    { name: 'People', path: to.users(at), what: 'members and their roles' },
    { name: 'API keys', path: to.apiKeys(at), what: 'your own keys for pipelines and tools' },
    { name: 'Policies', path: to.policies(at), what: 'gate rules, deploy review and SLA' },
    { name: 'Identity rules', path: to.identityRules(at), what: 'how reports are matched to findings' },
    { name: 'Notifications', path: to.notifications(at), what: 'email, Slack and Teams channels' },
    { name: 'Webhooks', path: to.webhooks(at), what: 'events sent to your systems' },
    { name: 'Audit log', path: to.audit(at), what: 'who did what, when and from where' },
    { name: 'Jobs', path: to.jobs(at), what: 'running, waiting and given-up jobs; administrators only' },
    { name: 'Limits and API', path: to.limits(at), what: 'API limits and the API explorer' },
  ]
}
