// Builds every address of the console. All links come from here, and a test compares it with routes.tsx.

type Company = { companyId: string }
type Finding = Company & { issueId: string }

const company = ({ companyId }: Company) => `/companies/${companyId}`

/** `search` is the query string as useUrlState writes it; an empty one is left out. */
const withSearch = (path: string, search: string | URLSearchParams | undefined): string => {
  const text = search?.toString().replace(/^\?/, '') ?? ''
  return text === '' ? path : `${path}?${text}`
}

export const to = {
  start: () => '/',
  company: (at: Company) => company(at),
  findings: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/findings`, search),
  finding: ({ issueId, ...at }: Finding, search?: string | URLSearchParams) =>
    withSearch(`${company(at)}/findings/${issueId}`, search),
  overview: (at: Company) => `${company(at)}/overview`,
  changes: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/changes`, search),
  deploys: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/deploys`, search),
  deploy: ({ deployId, ...at }: Company & { deployId: string }) => `${company(at)}/deploys/${deployId}`,
  assets: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/assets`, search),
  asset: ({ assetId, ...at }: Company & { assetId: string }, tab?: string) =>
    withSearch(`${company(at)}/assets/${assetId}`, tab === undefined ? undefined : `tab=${tab}`),
  applications: (at: Company) => `${company(at)}/applications`,
  /** Where the addresses of imports begin; an asset's page lists its own. */
  imports: (at: Company) => `${company(at)}/imports`,
  import: ({ importId, ...at }: Company & { importId: string }) => `${to.imports(at)}/${importId}`,
  projects: (at: Company) => `${company(at)}/projects`,
  project: ({ projectId, ...at }: Company & { projectId: string }) => `${company(at)}/projects/${projectId}`,
  scans: (at: Company, search?: string) => withSearch(`${company(at)}/scans`, search),
  requirements: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/requirements`, search),
  requirement: ({ requirementId, ...at }: Company & { requirementId: string }, search?: string | URLSearchParams) =>
    withSearch(`${company(at)}/requirements/${requirementId}`, search),
  threatModels: (at: Company) => `${company(at)}/requirements/threat-models`,
  threatModel: ({ artifactId, ...at }: Company & { artifactId: string }) =>
    `${company(at)}/requirements/threat-models/${artifactId}`,
  tickets: (at: Company) => `${company(at)}/tickets`,
  ticket: ({ ticketId, ...at }: Company & { ticketId: string }) => `${company(at)}/tickets/${ticketId}`,
  attachments: (at: Company) => `${company(at)}/attachments`,
  secrets: (at: Company) => `${company(at)}/secrets`,
  seals: (at: Company) => `${company(at)}/seals`,
  certificates: (at: Company) => `${company(at)}/certificates`,
  integrations: (at: Company, search?: string) => withSearch(`${company(at)}/integrations`, search),
  /** Where a vendor sends people back to after they consented; MERLON_OAUTH_REDIRECT_URL must point here. */
  consent: () => '/consent',
  settings: (at: Company) => `${company(at)}/settings`,
  companySettings: (at: Company) => `${company(at)}/settings/company`,
  users: (at: Company) => `${company(at)}/settings/users`,
  policies: (at: Company) => `${company(at)}/settings/policies`,
  identityRules: (at: Company) => `${company(at)}/settings/identity`,
  notifications: (at: Company) => `${company(at)}/settings/notifications`,
  webhooks: (at: Company) => `${company(at)}/settings/webhooks`,
  audit: (at: Company) => `${company(at)}/settings/audit`,
  jobs: (at: Company, search?: string) => withSearch(`${company(at)}/settings/jobs`, search),
  /** Outside the console: leads to the operator's identity provider, and from there to the page at `path`. */
  signInElsewhere: (path: string) => `/session/oidc?path=${encodeURIComponent(path)}`,
  /** Outside the console: the API explorer. */
  explorer: ({ companyId }: Company) => `/graphiql?company=${companyId}`,
  limits: (at: Company) => `${company(at)}/settings/limits`,
  apiKeys: (at: Company) => `${company(at)}/settings/keys`,
}
