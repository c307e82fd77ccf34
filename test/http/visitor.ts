// A browser at the level of HTTP: cookies for each origin, and redirects.

/** Keeps cookies for each origin, and follows redirects on request. */
export function newVisitor() {
  const jars = new Map<string, Map<string, string>>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const { origin } = new URL(address)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get('location')
    return { response, next: location === null ? null : new URL(location, address).href }
  }
  return { visit, jarOf: (origin: string) => jars.get(origin) ?? new Map<string, string>() }
}

export type Visitor = ReturnType<typeof newVisitor>
