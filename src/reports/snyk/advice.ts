// The address of Snyk's page about a vulnerability.

export const adviceOf = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : `https://security.snyk.io/vuln/${encodeURIComponent(id)}`
