// The export formats; adding one takes one line here.

export { csaf } from './csaf.ts'
export { csv } from './csv.ts'
export { cyclonedx, cyclonedxVex } from './cyclonedx.ts'
export { ndjson } from './ndjson.ts'
export { openvex } from './openvex.ts'
export { sarif } from './sarif.ts'
