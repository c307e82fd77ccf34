// Checks for pages that are refused under their address and served under another spelling of it.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { quietly } from '../probing.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange, Identity } from '../types.ts'
import { answerFor, hasErrors, isFine } from './ownership.ts'
import { isOpened, isRefusing, LIKELY, openedTwice, type RefusedPlace, refusedPlaces } from './refused-places.ts'

/** Operations that are protected from visitors and tried in other spellings. */
const MOST_PROTECTED = 8

/**
 * Spellings that some servers, frameworks and proxies take for the same address, and rules of access for another one. `cause` is part of
 * the finding's fingerprint: it stays when `said` changes.
 */
const spellings: readonly { said: string; cause: string; of: (folder: string, name: string) => string }[] = [
  { said: 'with a trailing slash', cause: 'with a slash at its end', of: (folder, name) => `${folder}${name}/` },
  { said: 'in upper case', cause: 'in upper case', of: (folder, name) => folder + name.toUpperCase() },
  { said: 'with a double slash', cause: 'with two slashes', of: (folder, name) => `/${folder}${name}` },
  { said: 'with /./ in the path', cause: 'with a dot as a folder', of: (folder, name) => `${folder}./${name}` },
  {
    said: 'with an encoded letter',
    cause: 'with an encoded letter',
    of: (folder, name) => `${folder}${encodedFirst(name)}`,
  },
  {
    said: 'with a path parameter',
    cause: 'with a parameter of the path',
    of: (folder, name) => `${folder}${name};a=b`,
  },
  { said: 'behind /..;/', cause: 'behind ..;', of: (folder, name) => `${folder}a/..;/${name}` },
  {
    said: 'with an encoded trailing slash',
    cause: 'with an encoded slash at its end',
    of: (folder, name) => `${folder}${name}%2f`,
  },
  {
    said: 'with an encoded trailing space',
    cause: 'with an encoded blank at its end',
    of: (folder, name) => `${folder}${name}%20`,
  },
  { said: 'with the extension .json', cause: 'with the ending .json', of: (folder, name) => `${folder}${name}.json` },
]

const encodedFirst = (name: string): string => `%${name.charCodeAt(0).toString(16).padStart(2, '0')}${name.slice(1)}`

/** `open` is what the first identity gets; null where it is refused too. */
type Place = RefusedPlace & { identity: Identity | null; open: Exchange | null }

export const pathVariants: TargetCheck = {
  kind: 'target',
  id: 'path-variant',
  title: 'Access control bypass through a URL variant',
  cwes: [289, 285],
  severity: 'HIGH',
  solution: 'Check access in the code that serves the page, or normalize URLs before access rules are applied.',
  profile: 'BALANCED',
  async *probe(context) {
    const places = await placesOf(context)
    for (const spelling of spellings) {
      for (const place of places) {
        const shown = await opened(place, spelling, context)
        if (shown === null) continue
        yield { ...shown, cause: spelling.cause }
        break
      }
    }
  },
}

/** What the first identity is refused, and what only people who are signed in get. */
async function placesOf(context: Context): Promise<Place[]> {
  const [owner = null] = context.identities
  const refused = (await refusedPlaces(context)).map((place): Place => ({ ...place, identity: owner, open: null }))
  const closed: Place[] = []
  for (const operation of owner === null ? [] : context.operations.filter((one) => isSafe(one))) {
    if (closed.length >= MOST_PROTECTED) break
    const open = await answerFor(context, operation, owner)
    if (!isFine(open) || hasErrors(open) || isRefusing(open) || open.text.trim() === '') continue
    const nobodys = await answerFor(context, operation, null)
    if (nobodys !== null && isRefusing(nobodys))
      closed.push({ operation, request: context.requestOf(operation), refused: nobodys, identity: null, open })
  }
  return [...refused, ...closed]
}

async function opened(
  { operation, request, refused, identity, open }: Place,
  { said, of }: (typeof spellings)[number],
  context: Context,
): Promise<Sighting | null> {
  const [, origin = '', folder = '/', name = '', slash = '', query = ''] =
    /^(https?:\/\/[^/?#]+)((?:\/[^/?#]*)*?\/)([^/?#]*)(\/?)(\?[^#]*)?$/.exec(request.url) ?? []
  if (name === '') return null
  const given = { identity, ...(operation ? { operation } : {}) }
  const ask = (url: string) => quietly(context.send({ ...request, url }, given))
  // where nothing tells what it would be, it has to be something else than the refusal
  const opens = (exchange: Exchange | null): exchange is Exchange =>
    isOpened(exchange, refused) && (open === null || likenessOf(exchange, open) > 0.9)
  const spelled = (word: string) => {
    const path = of(folder, word)
    // with its slash at the end, an address may be another one than without
    return ask(origin + (slash === '' || path.endsWith('/') ? path : `${path}/`) + query)
  }
  const found = await openedTwice(
    { claimed: () => spelled(name), madeUp: () => spelled(context.word()), plain: () => ask(request.url) },
    opens,
    (none, first) => !isFine(none) || likenessOf(none, first) <= LIKELY,
  )
  if (found === null) return null
  const { again, still } = found
  return {
    detail: `The URL is refused (${still.answer.status}), but served ${said}, twice; another name is not.`,
    proof: [again.text.slice(0, 80)],
    exchange: again,
    ...(operation ? { operation } : {}),
  }
}
