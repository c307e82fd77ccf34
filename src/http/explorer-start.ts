// What GraphiQL starts with: the console's session, runnable examples, and separate tabs for each company.

type Example = { query: string; isOfCompany: boolean }

/** The query has a descriptive name; one about a company takes `$companyId`. */
export const examples: readonly Example[] = [
  { query: 'query Viewer { viewer { name email isAdministrator } }', isOfCompany: false },
  {
    query: `query TopFindings($companyId: ID!) {
  issues(companyId: $companyId, pagination: { perPage: 10 }, sortOptions: [{ field: PRIORITY, order: DESC }]) {
    collection { id title severity status priority { score sentence } asset { name } }
    metadata { totalCount }
  }
}`,
    isOfCompany: true,
  },
  {
    query: `query OverdueFindings($companyId: ID!) {
  issues(companyId: $companyId, filters: { slaStates: [BREACHED] }, pagination: { perPage: 10 }) {
    collection { id title severity sla { state dueAt } asset { name } }
    metadata { totalCount }
  }
}`,
    isOfCompany: true,
  },
  {
    query: `query GateVerdicts($companyId: ID!) {
  deploys(companyId: $companyId, pagination: { perPage: 10 }) {
    collection { id branchName currentCommit asset { name } gate { decision sentence reasons { sentence count } } }
  }
}`,
    isOfCompany: true,
  },
  {
    query: `query RiskiestAssets($companyId: ID!) {
  assets(companyId: $companyId, limit: 10, search: { sortBy: risk_score, order: DESC }) {
    collection { id name riskScore { current { value } } pendingVulnerabilitiesStats { value count } }
  }
}`,
    isOfCompany: true,
  },
  {
    query: `query Integrations($companyId: ID!) {
  integrations(companyId: $companyId) {
    collection { id integrationType brokenSince health { lastSuccessAt lastFailure credentialExpiresAt } }
  }
}`,
    isOfCompany: true,
  },
  {
    query: `query RecentEvents($companyId: ID!) {
  events(companyId: $companyId, limit: 50) { at kind objectId data }
}`,
    isOfCompany: true,
  },
]

/**
 * Starts GraphiQL with the console's session; users without one enter a key in the headers. The link back leads to
 * the company whose tabs these are.
 */
export const startScript = `const fetcher = GraphiQL.createFetcher({ url: '/graphql', headers: { 'x-merlon-console': '1' } })
const companyId = new URLSearchParams(location.search).get('company') || '1'
const isOfCompany = /^[1-9][0-9]{0,17}$/.test(companyId)
if (isOfCompany) document.getElementById('back').href = '/companies/' + companyId + '/overview'
const variables = JSON.stringify({ companyId }, null, 2)
const defaultTabs = ${JSON.stringify(examples)}.map(({ query, isOfCompany }) => ({ query, ...(isOfCompany ? { variables } : {}) }))
const own = 'merlon.explorer.' + companyId + '.'
const names = () => Object.keys(localStorage).filter((name) => name.startsWith(own))
const storage = {
  get length() { return names().length },
  getItem: (name) => localStorage.getItem(own + name),
  setItem: (name, value) => localStorage.setItem(own + name, value),
  removeItem: (name) => localStorage.removeItem(own + name),
  clear: () => names().forEach((name) => localStorage.removeItem(name)),
}
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher, storage, shouldPersistHeaders: false, defaultTabs, forcedTheme: theme || 'system' }),
)
`
