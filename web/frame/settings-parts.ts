// The pages of the settings with what each is for, shared by the settings list and the command palette.

import { to } from '../util/path-builder.ts'

export const settingsParts = (companyId: string) => {
  const at = { companyId }
  return [
    { name: 'Company', path: to.companySettings(at), what: 'what it is called' },
    { name: 'People', path: to.users(at), what: 'who belongs to the company, and what each may do' },
    { name: 'API keys', path: to.apiKeys(at), what: 'keys of your own, for pipelines and tools' },
    { name: 'Policies', path: to.policies(at), what: 'what the gate allows, and by when findings are to be fixed' },
    { name: 'Identity rules', path: to.identityRules(at), what: 'what makes two reports one finding' },
    { name: 'Notifications', path: to.notifications(at), what: 'who is told by mail, Slack or Teams, and of what' },
    { name: 'Webhooks', path: to.webhooks(at), what: 'what is sent out when something happens' },
    { name: 'Record of changes', path: to.audit(at), what: 'who did what, when and from where' },
    { name: 'Jobs', path: to.jobs(at), what: 'what the worker runs, waits for and gave up; for administrators' },
    { name: 'Limits and API', path: to.limits(at), what: 'what one request may hold, and a place to try' },
  ]
}
