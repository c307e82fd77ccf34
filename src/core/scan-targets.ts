// The targets that the operator allows every company to scan: hosts with their ports.

/** `host:port` for each, with the host as in URLs; `*` as the port means all. */
export type ScanTargets = ReadonlySet<string>

const USUAL_PORTS = ['80', '443']
const HIGHEST = 65_535

/**
 * Reads hosts and addresses, separated by commas, each with `:port`, or `:*` for every port; by default the ports of http and https. Null if
 * an entry is invalid.
 */
export function readScanTargets(text: string): ScanTargets | null {
  const targets = new Set<string>()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, given, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}|\*))?$/i.exec(entry) ?? []
    const host = given && URL.parse(`http://${given}`)?.hostname
    if (!host || Number(port) > HIGHEST) return null
    for (const one of port === undefined ? USUAL_PORTS : [port]) targets.add(`${host}:${one}`)
  }
  return targets
}

/** Whether the operator named the host of an http or https address, at its port. */
export function isScanTarget(targets: ScanTargets, address: string): boolean {
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'https:' ? '443' : '80'
  return targets.has(`${hostname}:${port || usual}`) || targets.has(`${hostname}:*`)
}
