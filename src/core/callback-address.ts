// Where other hosts can reach a listener on this machine: the host name to use, and the available ports.

/** `ports`: the first and the last usable port. */
export type CallbackAddress = { host: string; ports: readonly [first: number, last: number] }

const MOST_PORTS = 100
const HIGHEST = 65_535

/** Reads `host`, `host:port` or `host:first-last`, with an IPv6 address in brackets; the default port is `port`. Undefined for anything else. */
export function readCallback(text: string, port?: number): CallbackAddress | undefined {
  const [, bracketed, plain, from, to] =
    /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{1,5})(?:-(\d{1,5}))?)?$/i.exec(text.trim()) ?? []
  const host = bracketed ?? plain
  const first = from === undefined ? port : Number(from)
  if (host === undefined || first === undefined) return undefined
  const last = to === undefined ? first : Number(to)
  const isRange = last >= first && last - first < MOST_PORTS && last <= HIGHEST
  return isRange && (first > 0 || from === undefined) ? { host, ports: [first, last] } : undefined
}
