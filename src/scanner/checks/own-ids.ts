// The ids of an account, from sign-ins and responses about oneself, and the references in which they are used.

const ACCOUNT = /^(user|account|customer|member|client|person|profile|owner)?(id|uuid|guid)$/
/** Words for the current user and for accounts in general. */
const USER = /^(user|me|self|member|profile|whoami|current|userinfo)?$/

/** The kind of object that an id belongs to: `user`, or what its name or its enclosing object says. */
function kindOfId(name: string, of: string): string | null {
  const [, named = of] = ACCOUNT.exec(name) ?? [null, null]
  return named === null ? null : USER.test(named) ? 'user' : named
}

/** A leaf of an answer: its normalised name, the kind of its object, and its value. */
type Leaf = { name: string; of: string; value: string }

/** The account ids in an answer about an account, as `user 7`; ids of neighbouring objects are left out. */
export const accountIdsAmong = (leaves: readonly Leaf[]): string[] =>
  leaves.flatMap(({ name, of, value }) => {
    const kind = kindOfId(name, of)
    return kind === 'user' || (kind !== null && kind !== of) ? [`${kind} ${value}`] : []
  })

/** The account's own ids for a reference such as `customerId`, `target_user_id`, or the `id` of a user. */
export function ownIds(plain: string, resource: string, accounts: ReadonlySet<string>): string[] {
  const named = /(user|account|customer|member|client|person|profile|owner)?(id|uuid|guid)$/.exec(plain)
  const kind = named && (named[1] !== undefined || named[0] === plain) ? kindOfId(named[0], resource) : null
  return [...accounts].flatMap((one) => (kind !== null && one.startsWith(`${kind} `) ? one.slice(kind.length + 1) : []))
}

/** Whether a value is an id of the account under whatever name: one with letters, since a number may be that of anything. */
export const isAccountId = (value: string, accounts: ReadonlySet<string>): boolean =>
  value.length >= 4 && /[a-z]/i.test(value) && [...accounts].some((one) => one.slice(one.indexOf(' ') + 1) === value)
