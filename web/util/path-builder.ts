// Every address of the console. Links come from here alone, and routes.tsx is held to it by a test.

type Company = { companyId: string }
type Finding = Company & { issueId: string }

const company = ({ companyId }: Company) => `/companies/${companyId}`

/** `search` as useUrlState keeps it; what is empty is left out. */
export const withSearch = (path: string, search: string | URLSearchParams | undefined): string => {
  const text = search?.toString().replace(/^\?/, '') ?? ''
  return text === '' ? path : `${path}?${text}`
}

export const to = {
  start: () => '/',
  company: (at: Company) => company(at),
  findings: (at: Company, search?: string | URLSearchParams) => withSearch(`${company(at)}/findings`, search),
  finding: ({ issueId, ...at }: Finding, search?: string | URLSearchParams) =>
    withSearch(`${company(at)}/findings/${issueId}`, search),
  settings: (at: Company) => `${company(at)}/settings`,
  apiKeys: (at: Company) => `${company(at)}/settings/keys`,
}
