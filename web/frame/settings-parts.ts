// The pages of the settings with what each is for, shared by the settings list and the command palette.

import { to } from '../util/path-builder.ts'

export const settingsParts = (companyId: string) => {
  const at = { companyId }
  return [
    { name: 'Company', path: to.companySettings(at), what: 'Name and short name' },
    { name: 'People', path: to.users(at), what: 'Members and their roles' },
    { name: 'API keys', path: to.apiKeys(at), what: 'Your own keys for pipelines and tools' },
    { name: 'Policies', path: to.policies(at), what: 'Gate rules, deploy review and SLA' },
    { name: 'Identity rules', path: to.identityRules(at), what: 'How reports are matched to findings' },
    { name: 'Notifications', path: to.notifications(at), what: 'Email, Slack and Teams channels' },
    { name: 'Webhooks', path: to.webhooks(at), what: 'Events sent to your systems' },
    { name: 'Audit log', path: to.audit(at), what: 'Who did what, when and from where' },
    { name: 'Jobs', path: to.jobs(at), what: 'Running, waiting and given-up jobs; administrators only' },
    { name: 'Limits and API', path: to.limits(at), what: 'API limits and the API explorer' },
  ]
}
