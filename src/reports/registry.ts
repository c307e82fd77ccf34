// The report formats that are read: one line each.

export { govulncheck } from './govulncheck/reader.ts'
export { grype } from './grype/reader.ts'
export { npmAudit } from './npm-audit/reader.ts'
export { osvScanner } from './osv-scanner/reader.ts'
export { trivy } from './trivy/reader.ts'
