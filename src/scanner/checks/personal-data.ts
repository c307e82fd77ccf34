// Checks for APIs that return personal data to anybody: that of the scan's own accounts, or of several people at once.

import { percentDecoded } from '../../core/percent.ts'
import type { Context, OperationCheck } from '../check.ts'
import { isList, isObject, leavesOf, readJson } from '../json-leaves.ts'
import type { Exchange, HttpRequest, Json } from '../types.ts'
import { plainName } from '../values.ts'
import { isAdministrative } from './administrative.ts'
import { answerFor, hasErrors, holdingsOf, isFine } from './ownership.ts'
import { isPersonal } from './personal.ts'
import { tokensIn } from './tokens.ts'

type Leaf = { name: string; value: string }

/** How many objects of one answer are examined, and to which depth. */
const MOST_THINGS = 300
const DEEPEST = 8

/** Members that people have and companies do not. */
const OF_A_PERSON =
  /^(user|login|nick|first|last|family|given)_?name$|^(surname|role|roles|isadmin|dob|dateofbirth|gender|password|ssn|balance)$/

/** People listed in order to be contacted, such as staff. */
const DIRECTORY =
  /(^|[^a-z])(directory|staff|team|faculty|board|speakers?|authors?|doctors?|physicians?|agents?|advisors?|councill?ors?|representatives?)(?![a-z])/i
const CONTACT = /mail|phone|mobile|^tel|cell|address$/

export const personalData: OperationCheck = {
  kind: 'operation',
  id: 'personal-data',
  title: 'Personal data exposed without authentication',
  cwes: [359, 306],
  severity: 'MEDIUM',
  solution: 'Require credentials, and return only the fields of other people that the caller needs.',
  profile: 'BASIC',
  // what is protected by its description, or is for administrators by its name, is judged by that
  accepts: (operation) =>
    operation.kind === 'read' && operation.requiresAuth !== true && !operation.isSignIn && !isAdministrative(operation),
  async *probe(operation, context) {
    if (context.identities.length === 0) return
    const nobodys = await answerFor(context, operation, null)
    // a token among the values says who asks
    if (!isFine(nobodys) || hasErrors(nobodys) || tokensIn(nobodys.request).length > 0) return
    const things = thingsOf(nobodys)
    const marks = await marksOf(context)
    const ofAccounts = things.filter((thing) => thing.some(({ value }) => marks.has(value.toLowerCase())))
    const told = ofAccounts.flatMap((thing) => thing.filter(isPersonal))
    const [first] = told
    if (first !== undefined) {
      const detail = `A request without credentials returns ${first.name} of an account of the scan.`
      yield { detail, proof: told.slice(0, 3).map(({ value }) => value), exchange: nobodys, operation }
      return
    }
    const isPublished = (thing: readonly Leaf[]) =>
      DIRECTORY.test(operation.path) && thing.filter(isPersonal).every(({ name }) => CONTACT.test(name))
    const people = things.filter(
      (thing) => kindsIn(thing) > 1 && thing.some(({ name }) => OF_A_PERSON.test(name)) && !isPublished(thing),
    )
    const [one, another] = people
    if (one === undefined || another === undefined) return
    const shown = [...one, ...another].filter(isPersonal)
    const names = [...new Set(one.filter(isPersonal).map(({ name }) => name))].join(', ')
    const detail = `A request without credentials returns ${names} of ${people.length} people.`
    yield { detail, proof: shown.slice(0, 4).map(({ value }) => value), exchange: nobodys, operation }
  },
}

const kindsIn = (thing: readonly Leaf[]): number => new Set(thing.filter(isPersonal).map(({ name }) => name)).size

/** The names of the scan's accounts. */
async function marksOf(context: Context): Promise<ReadonlySet<string>> {
  const marks = new Set<string>()
  for (const identity of context.identities.slice(0, 2))
    for (const mark of (await holdingsOf(context, identity)).marks) if (!COMMON.test(mark)) marks.add(mark)
  return marks
}

/** Names that are also ordinary words. */
const COMMON = /^(admin|administrator|user|test|guest|root|demo|name|login|username)$/

/** What was sent that may be somebody's name: the last segment of a path, values of the query, and texts of a body; no numbers. */
function namesIn({ url: address, body }: HttpRequest): ReadonlySet<string> {
  const url = URL.parse(address)
  const inAddress =
    url === null ? [] : [percentDecoded(url.pathname).split('/').at(-1) ?? '', ...url.searchParams.values()]
  const inBody = leavesOf(readJson(String(body ?? '')) ?? null).map(({ value }) => String(value))
  const words = [...inAddress, ...inBody].filter((word) => /[a-z]{2}/i.test(word) && !UUID.test(word))
  return new Set(words.map((word) => word.toLowerCase()))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^[0-9a-f]{24}$/i

/** The objects of a JSON answer, each with its own leaves. */
function thingsOf({ text, request }: Exchange): Leaf[][] {
  const json = readJson(text)
  const things: Leaf[][] = []
  const asked = namesIn(request)
  const isAsked = ({ value }: Leaf): boolean => {
    const name = value.toLowerCase()
    return asked.has(name) || asked.has(name.split('@')[0] ?? '')
  }
  const walk = (value: Json, depth: number): void => {
    if (things.length >= MOST_THINGS || depth > DEEPEST) return
    if (isList(value)) for (const one of value.slice(0, MOST_THINGS)) walk(one, depth + 1)
    if (!isObject(value)) return
    const leaves: Leaf[] = []
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object') walk(one, depth + 1)
      else if (typeof one !== 'boolean') leaves.push({ name: plainName(name), value: String(one) })
    }
    // whoever asks for somebody by name is answered as a directory does
    if (!leaves.some(isAsked)) things.push(leaves)
  }
  if (json !== undefined) walk(json, 0)
  return things
}
