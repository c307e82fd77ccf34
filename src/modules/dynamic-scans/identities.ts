// Converts secrets into what the scanner sends: headers, cookies, query parameters, or a login.

import type { Identity } from '../../scanner/types.ts'
import type { SecretValues } from '../secrets/service.ts'

type Parts = Pick<Identity, 'headers' | 'cookies' | 'query' | 'login'>

const nothing: Parts = { headers: [], cookies: [], query: [] }

function partsOf(secret: SecretValues): Parts {
  switch (secret.type) {
    case 'BASIC_AUTH': {
      const encoded = Buffer.from(`${secret.username}:${secret.password}`).toString('base64')
      return { ...nothing, headers: [['Authorization', `Basic ${encoded}`]] }
    }
    case 'BEARER_TOKEN':
      return { ...nothing, headers: [['Authorization', `Bearer ${secret.token}`]] }
    case 'HEADER':
      return { ...nothing, headers: [[secret.name, secret.value]] }
    case 'COOKIE':
      return { ...nothing, cookies: [[secret.name, secret.value]] }
    case 'QUERY_PARAMETER':
      return { ...nothing, query: [[secret.name, secret.value]] }
    case 'FORM_LOGIN': {
      const { loginUrl, username, password, usernameSelector, passwordSelector, submitSelector, totp } = secret
      return {
        ...nothing,
        login: {
          type: 'FORM',
          url: loginUrl,
          username,
          password,
          usernameSelector,
          passwordSelector,
          submitSelector,
          totp,
        },
      }
    }
  }
}

/** Combines all secrets of one person; null if there are none. The last login wins. `name` is our name for the person. */
export function identityOf(name: string, secrets: readonly SecretValues[]): Identity | null {
  if (secrets.length === 0) return null
  const all = secrets.map(partsOf)
  const login = all.findLast((parts) => parts.login !== undefined)?.login
  return {
    name,
    isNameMadeUp: true,
    headers: all.flatMap(({ headers }) => headers),
    cookies: all.flatMap(({ cookies }) => cookies),
    query: all.flatMap(({ query }) => query),
    ...(login ? { login } : {}),
  }
}
