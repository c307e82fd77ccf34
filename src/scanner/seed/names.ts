// What names imply: a value for a field, and whether an operation reads, writes or destroys.

import type { OperationKind } from '../types.ts'
import { destroysAbroad, forgotAbroad, signsOutAbroad } from './other-languages.ts'
import { ownPassword } from './own-password.ts'

const byFormat: Readonly<Record<string, string>> = {
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  email: 'merlon.scan@example.com',
  date: '2026-01-15',
  'date-time': '2026-01-15T10:00:00Z',
  time: '10:00:00',
  uri: 'https://example.com/merlon',
  url: 'https://example.com/merlon',
  hostname: 'example.com',
  ipv4: '192.0.2.10',
  ipv6: '2001:db8::10',
  password: ownPassword,
  byte: 'bWVybG9u',
  binary: 'merlon',
  int64: '1',
}

const byName: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'merlon.scan@example.com'],
  [/pass(word|wd|phrase)?$|^pwd/i, ownPassword],
  [/uuid|guid/i, '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  [/(^|_|[a-z])ids?$/i, '1'],
  [/phone|mobile|tel$/i, '+15550100123'],
  [/(url|uri|link|href|website|callback|webhook|redirect)/i, 'https://example.com/merlon'],
  [/((?<!up)[dD]ate|DATE|_at|At)$/, '2026-01-15'],
  [
    /(page|offset|limit|size|count|quantity|qty|amount|number|num|year|price|total|zip|pin|otp|rating|stars|index|level)$/i,
    '1',
  ],
  // as words of their own: not of a message, nor of a report
  [/((?<![A-Za-z])(age|port|AGE|PORT)|(?<![A-Z])(Age|Port))$/, '1'],
  [/first.?name/i, 'Mer'],
  [/last.?name|surname/i, 'Lon'],
  [/user.?name|login|^user$/i, 'merlonscan'],
  [/domain/i, 'example.com'],
  [/country/i, 'US'],
  [/city/i, 'Springfield'],
  [/state$/i, 'IL'],
  [/currency/i, 'USD'],
  [/lang|locale/i, 'en'],
  [/^ip|ip.?addr|host/i, '127.0.0.1'],
  [/file|path/i, 'merlon.txt'],
  [/color|colour/i, 'red'],
  [/sort|order/i, 'asc'],
  [/enabled|active|is[A-Z_]/, 'true'],
]

/** A value for a field of that name and format. */
export function valueByName(name: string, format = ''): string {
  return byFormat[format] ?? byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'merlon'
}

/** Whether a parameter's name says that more is shown with it: `all`, `include_deleted`, `adminView`. */
export const showsMore = (name: string): boolean =>
  /^(all|full|everything|detail(s|ed)?|verbose)$/i.test(name) ||
  /^(include|show|with|reveal|unmask)[-_]?[a-z]{3}/i.test(name) ||
  /(^|-)(admin|internal|sensitive|hidden|private|deleted|inactive)(-(view|access|mode|override|fields?|data|only))?$/i.test(
    spacedOut(name).replaceAll('_', '-'),
  )

const DESTROYS =
  /(^|[^a-z])(log-?_?(out|off)|sign-?_?(out|off)|delete|destroy|remove|drop|purge|wipe|truncate|reset|unregister|deactivate|shutdown|restart|terminate|create-?_?db|init-?_?db|set-?_?up|clear|flush|revoke|cancel|disable|start-?_?over|difficulty|security-?_?level|install|rebuild|seed|uninstall|factory)(?![a-z])|(ch|change|update|set|new)[-_]?passw(or)?d|(?<!(?:log|sign)[-_]?in)(^|[/_-])password\/?($|\?|\s[^{}]{0,300}$)/i

/** The page to which a mail leads who has forgotten a password: what opens it is the token alone, and it names nobody. */
const TOKEN_PAGE =
  /^\/([\w-]{1,40}\/){0,3}((reset|new)[-_]?passw(or)?d|passw(or)?d[-_/]?reset)\/\{[\w-]{0,40}(token|code|key|hash)\}\/?(\s|$)/i

const WAY_OUT = /(log|sign)[-_]?(out|off)/i

/** Whether an address, or an operation's words, sign somebody out. */
export const signsOut = (words: string): boolean => WAY_OUT.test(words) || signsOutAbroad(words)

/** Whether an operation's words say that it ends sessions, changes passwords, deletes or resets. */
export function isDestructive(method: string, words: string): boolean {
  if (method === 'DELETE') return true
  if (method === 'GET' && TOKEN_PAGE.test(words)) return false
  const spaced = spacedOut(words)
  if (/forgot|request[-_]?reset/i.test(spaced) || RECOVERS.test(spaced) || forgotAbroad(words)) return false
  // a link that turns something on and off would leave it so for all that is asked after it
  if (method === 'GET' && /(^|[^a-z])toggle(?![a-z])/i.test(spaced)) return true
  return DESTROYS.test(spaced) || destroysAbroad(words)
}

const LONGEST_COMMAND = 40
/** What a command begins with that ends a session, deletes or changes a password. */
const COMMANDS =
  /^\W{0,3}(log ?(out|off)|sign ?(out|off)|delete|remove|destroy|drop|purge|wipe|unregister|deactivate|close account|(change|update|set|reset)( \w+)? passwords?)(?![a-z])/i

/** Whether what stands on a link or a button says so; a sentence, or the title of a lesson, commands nothing. */
export const commandsHarm = (label: string): boolean => {
  const text = label.trim()
  if (text.length > LONGEST_COMMAND || text.split(/\s+/).length > MOST_COMMAND_WORDS) return false
  return COMMANDS.test(text) || (destroysAbroad(text) && !forgotAbroad(text))
}
/** `Supprimer mon compte`, `Eliminar mi cuenta ahora` */
const MOST_COMMAND_WORDS = 4

/** Whether a path is that of a page on which a new password is chosen, and nothing in it says that something else is done. */
export const isPasswordForm = (path: string): boolean =>
  /^\/((auth|accounts?|users?)\/)?(reset|change|new)-?password\/?$/i.test(path)

/** `sendRecoveryLink` is words as `send-recovery-link` is. */
const spacedOut = (words: string): string => words.replace(/([a-z])([A-Z])/g, '$1-$2')

/** Of accounts, passwords and mails, or of nothing that is named: plans, codes and documents are recovered too. */
const RECOVERS =
  /recover(y|ies)?[-_]?(my[-_]?)?(accounts?|access|pass|passw(or)?d|pwd|user(name)?|log-?in|e?-?mails?|links?|tokens?|requests?|credentials?|by|via)(?![a-z])|(accounts?|access|passw(or)?d|user(name)?|log-?in|credentials?|send|start|begin|request|initiate)[-_/]?recover(y|ies)?(?![a-z])|(^|[^a-z])recover(y(?![-_]))?(\/|$|[?&#]|\s)/i
const RESETS =
  /forg[eo]t|remind(?!ers?(?![-_/]?(my[-_/]?)?passw))|request[-_/]?reset|reset[-_/]?request|(lost|new|reset|send)[-_/]?(my[-_/]?)?passw|passw(or)?d[-_/]?(lost|new|reset|remind)/i

/** Whether an operation's words say that it is for people who forgot their password, which some targets replace at once. */
export const asksForReset = (words: string): boolean =>
  RESETS.test(words) || RECOVERS.test(spacedOut(words)) || forgotAbroad(words)

/** What chooses a page or a language, and nobody's account. */
const CHOOSES_PAGE = /^(page|p|view|action|do|module|mod|route|tab|step|lang(uage)?|locale)$/i
/** A segment of a path that names an account by a number or an address. */
const NAMES_ACCOUNT = /(^|\/)(\d{1,18}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}|[^/]{0,100}(@|%40)[^/]{0,100})(\/|$)/i

/** Words of a path beside what asks for a new password that say which page it is, and name nobody. */
const SAYS_WHICH_PAGE =
  /^(api|v\d{1,3}|auth(entication)?|security|identity|users?|accounts?|members?|customers?|people|profiles?|admin|public|passwords?|e?-?mail|user-?name|form|page|index(\.\w{1,5})?|start|new|request|send|sent|done|success|complete|confirm(ation)?|verify|help|(ar|cs|da|de|el|en|es|fi|fr|he|hu|it|ja|ko|nb|nl|pl|pt|ro|ru|sv|tr|uk|zh)([-_][a-z]{2})?)$/i
/** What stands before a name of somebody. */
const PEOPLE = /^(users?|accounts?|members?|customers?|people|profiles?|u)$/i

/** Whether a path that asks for a new password names somebody by a word: behind what asks, or behind what says that people follow. */
function namesSomebody(pathname: string): boolean {
  const parts = pathname.split('/').filter((part) => part !== '')
  const asking = parts.findIndex((part) => asksForReset(`/${part}`))
  if (asking < 0) return false
  return parts.some(
    (part, at) =>
      !SAYS_WHICH_PAGE.test(part) && !asksForReset(`/${part}`) && (at > asking || PEOPLE.test(parts[at - 1] ?? '')),
  )
}

/** Whether a link may be opened: it destroys nothing, and asks for no new password of an account that it names. */
export const mayOpen = ({ pathname, search, searchParams, hash }: URL): boolean => {
  const words = pathname + search + hash
  if (isDestructive('GET', words)) return false
  const namesNobody = [...searchParams].every(
    ([name, value]) => value === '' || (CHOOSES_PAGE.test(name) && !value.includes('@')),
  )
  return !asksForReset(words) || (namesNobody && !NAMES_ACCOUNT.test(pathname) && !namesSomebody(pathname))
}

/** Whether a request with this method asks for no change. */
export const isReading = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** By the method, and where that is POST by the words. */
export function kindOf(method: string, words: string): OperationKind {
  if (isReading(method)) return 'read'
  if (method === 'DELETE') return 'delete'
  if (method === 'PUT' || method === 'PATCH') return 'update'
  // Whole words: `views` in the name of a module, or `settings`, say nothing of what is done.
  const spaced = spacedOut(words)
  const isRead =
    /(^|[^a-z])(get|list|find|search|query|read|fetch|check|log-?in|sign-?in|count|export|view|preview|validate)(?![a-z])/i
  if (isRead.test(spaced)) return 'read'
  if (/(^|[^a-z])(update|edit|modify|change|set)(?![a-z])/i.test(spaced)) return 'update'
  return 'create'
}

/** Whether asking it once more changes nothing that matters. */
export const isSafe = ({ isDestructive, method }: { isDestructive: boolean; method: string }): boolean =>
  !isDestructive && method === 'GET'

const FORM_TOKEN = /csrf|xsrf|token|nonce|authenticity|__RequestVerification|__VIEWSTATE|__EVENTVALIDATION|_wpnonce/i
const SHORTEST_FORM_TOKEN = 6

/** Whether a field is a token against forged requests, or a form's state, rather than something that is asked. */
export const isFormToken = (name: string, value: unknown): boolean =>
  FORM_TOKEN.test(name) && typeof value === 'string' && value.length >= SHORTEST_FORM_TOKEN
