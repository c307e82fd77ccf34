// The report formats that are read: one line each.

export { burp } from './burp/reader.ts'
export { govulncheck } from './govulncheck/reader.ts'
export { grype } from './grype/reader.ts'
export { nikto } from './nikto/reader.ts'
export { npmAudit } from './npm-audit/reader.ts'
export { nuclei } from './nuclei/reader.ts'
export { osvScanner } from './osv-scanner/reader.ts'
export { sarif } from './sarif/reader.ts'
export { tenable } from './tenable/reader.ts'
export { trivy } from './trivy/reader.ts'
export { wapiti } from './wapiti/reader.ts'
export { zap } from './zap/reader.ts'
