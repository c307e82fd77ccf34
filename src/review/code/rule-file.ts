// The format of rule files: one file for each rule, and one for the sources and sanitisers of each language.

import { z } from 'zod'

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const constant = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Of an argument by position or name, `'*'` any one of them, or of an assigned value under `value`. */
const condition = z.strictObject({
  arg: z.union([z.number(), z.string()]).optional(),
  /** a number that has one of these bits */
  bits: z.number().optional(),
  /** a regular expression, ignoring case, that a known string must match */
  matches: z.string().optional(),
  equals: constant.optional(),
  /** met by a known value other than this, and by an argument that is absent */
  not: constant.optional(),
  /** a regular expression that one of its names, or of those of a list's items, must match; for `unnamed` none of its own may */
  named: z.string().optional(),
  unnamed: z.string().optional(),
  /** a regular expression for the beginning of a string, as far as that does not come from outside */
  starts: z.string().optional(),
  /** the other conditions are about the entry whose key ends like this, after `*.` an entry of any entry; `arg: this` is the object of the call */
  item: z.string().optional(),
  /** what a function that is passed does: return `true`, or nothing */
  answers: z.enum(['true', 'nothing']).optional(),
  /** a regular expression that no annotation of a function may match */
  unmarked: z.string().optional(),
  /** copies all keys of one object into another, recursively and without exceptions */
  merges: z.literal(true).optional(),
  /** goes into an object key by key, and puts there what it was given */
  descends: z.literal(true).optional(),
  /** a regular expression that the string, or one of a list, must match */
  holds: z.string().optional(),
  /** a string literal of at least this many characters */
  literal: z.number().optional(),
  /** given, but not as a literal */
  unknown: z.boolean().optional(),
  /** a collection that the code creates */
  shown: z.boolean().optional(),
  /** a literal, or a list of literals only */
  known: z.boolean().optional(),
  /** created empty, and nothing can have filled it since */
  empty: z.boolean().optional(),
  absent: z.boolean().optional(),
  present: z.boolean().optional(),
})

const sink = z.strictObject({
  call: names.optional(),
  /** calls that do harm through the object they are called on */
  receiver: names.optional(),
  assign: names.optional(),
  /** the values that functions with this annotation return */
  returned: names.optional(),
  /** positions and names of the dangerous arguments: the first by default, '*' for all */
  args: z.array(z.union([z.number(), z.string()])).default([0]),
  /** only a string does harm, not an object */
  text: z.boolean().default(false),
  /** only an object of everything that was sent does harm */
  whole: z.boolean().default(false),
  /** only data at the beginning of the string does harm: a host, a scheme */
  leading: z.boolean().default(false),
  /** writes the response, and does no harm once its type is set */
  answer: z.boolean().default(false),
  /** only prepares something that does harm when it is used, so that a later check counts as well */
  preparing: z.boolean().default(false),
  /** whether arguments of unseen callers do harm as well, if the rule has `given` */
  given: z.boolean().default(true),
  where: z.array(condition).default([]),
})

const flaw = z.strictObject({
  call: names.optional(),
  assign: names.optional(),
  /** functions by name, by name and parameter types (`verify:String:SSLSession`), or by annotation (`@exempt`) */
  routine: names.optional(),
  where: z.array(condition).default([]),
})

export const ruleFile = z.strictObject({
  title: z.string(),
  cwe: z.union([z.number().transform((one) => [one]), z.array(z.number())]),
  severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  kind: z.string(),
  message: z.string(),
  fix: z.string(),
  sources: z.array(z.string()).default(['http']),
  /** a regular expression for the text before a value that an unseen caller may have passed */
  given: z.string().optional(),
  /** whether that also applies to names that nothing in the piece of code binds */
  unbound: z.boolean().default(false),
  /** a regular expression for pieces of code in which such a value may do harm; other pieces are not searched for one */
  made: z.string().optional(),
  sinks: z.array(sink).default([]),
  flaws: z.array(flaw).default([]),
  sanitisers: z.array(z.string()).default([]),
  /**
   * what says in a condition where the program runs: below one that speaks of a place that is not production, the rule is
   * silent
   */
  unless: z.array(z.string()).default([]),
  /**
   * calls after which answers harm no more: the type of one that is no page. The last condition decides; where the others
   * hold and it does not, an earlier call counts no more.
   */
  settles: z.array(flaw).default([]),
  vulnerable: names,
  fixed: names,
})

/** What a function receives that is passed to such a call, is assigned like this, or is called by a framework by its name. */
const listener = z.strictObject({
  label: z.string().default('http'),
  call: names.default([]),
  assign: names.optional(),
  /** a regular expression for the first argument, if that names the event */
  event: z.string().optional(),
  /** functions by their names */
  routine: names.optional(),
  /** the name of the event's data, which is then an object whose members are read */
  named: z.string().optional(),
  /** the names of the arguments by position, as patterns of sources use them; the arguments are no sources by themselves */
  given: z.array(z.string()).optional(),
})

export const languageFile = z.strictObject({
  /**
   * label → patterns: `a.b` a member, `a.b()` a call, `@Mark` a parameter with a mark, `fn@mark` all of a function's. First
   * parameters named so are a mark: `fn@event+context`.
   */
  sources: z.record(z.string(), z.array(z.string())),
  listeners: z.array(listener).default([]),
  /** types of parameters that a framework creates itself, whatever the function's annotations are */
  handed: z.array(z.string()).default([]),
  /** members that name the sender: once compared, the whole message counts as checked */
  vouching: z.array(z.string()).default([]),
  /** kind of rule → functions whose result is harmless for it */
  sanitisers: z.record(z.string(), z.array(z.string())),
  /** functions whose result carries nothing of their arguments */
  neutral: z.array(z.string()).default([]),
  /** calls that create something whose name usually means outside data, such as a request that is sent */
  ours: z.array(z.string()).default([]),
})

export type Condition = z.infer<typeof condition>
export type Sink = z.infer<typeof sink>
export type Flaw = z.infer<typeof flaw>
